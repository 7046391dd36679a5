/**
 * Awaits and liveness: which loop iterations are failed iterations of an await, which threads are blocked in one, and
 * which of these are blocked forever (a hang; the await-termination violation of the paper below).
 *
 * <p>In: the loop iterations, timed waits and joins of a running thread, which this stage sees as a
 * {@link dev.cqs.amc.liveness.RunningThread}. Out: failed iterations, removed from the graph or kept in it; the
 * {@link dev.cqs.amc.liveness.ThreadStatus} of each thread; and hangs among the findings.
 *
 * <p>Await model checking (AMC) is from Jonas Oberhauser, Rafael Lourenco de Lima Chehab, Diogo Behrens, Ming Fu,
 * Antonio Paolillo, Lilith Oberhauser, Koustubha Bhat, Yuzhong Wen, Haibo Chen, Jaeho Kim and Viktor Vafeiadis, "VSync:
 * Push-Button Verification and Optimization for Synchronization Primitives on Weak Memory Models", ASPLOS 2021, <a
 * href="https://doi.org/10.1145/3445814.3446748">doi 10.1145/3445814.3446748</a>.
 */
@NullMarked
package dev.cqs.amc.liveness;

import org.jspecify.annotations.NullMarked;
