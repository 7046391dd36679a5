/**
 * Waiting: which rounds of a loop are failed rounds of an await, which threads wait until something is written, and whether
 * nothing can end a wait.
 *
 * <p>In: what the run of a thread says of its loops, its timed waits and its joins. Out: failed rounds that are taken out of the graph
 * or left in it, where a run has left its thread ({@link dev.cqs.amc.liveness.ThreadStatus}), and hangs among the findings. This
 * stage sees a run of a thread as a {@link dev.cqs.amc.liveness.RunningThread}.
 *
 * <p>Await model checking is that of Jonas Oberhauser, Rafael Lourenco de Lima Chehab, Diogo Behrens, Ming Fu, Antonio Paolillo, Lilith
 * Oberhauser, Koustubha Bhat, Yuzhong Wen, Haibo Chen, Jaeho Kim and Viktor Vafeiadis, "VSync: Push-Button Verification and
 * Optimization for Synchronization Primitives on Weak Memory Models", ASPLOS 2021,
 * <a href="https://doi.org/10.1145/3445814.3446748">doi 10.1145/3445814.3446748</a>.
 */
@NullMarked
package dev.cqs.amc.liveness;

import org.jspecify.annotations.NullMarked;
