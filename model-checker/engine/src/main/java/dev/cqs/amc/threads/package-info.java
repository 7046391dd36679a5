/**
 * Runs of threads in the present graph: the code from its beginning, which replays what the graph has of the thread and then
 * extends the graph; or no code at all, where it is known from other graphs what the thread does next.
 *
 * <p>In: a thread that can go on, from the search. Out: events for {@code dpor}, rounds for {@code liveness}, errors for the
 * findings. {@link dev.cqs.amc.threads.ThreadRun} is what the code of a thread calls, and
 * {@link dev.cqs.amc.threads.RunnableSubject} what a front end implements. A run sees the search as a
 * {@link dev.cqs.amc.dpor.Exploration}.
 */
@NullMarked
package dev.cqs.amc.threads;

import org.jspecify.annotations.NullMarked;
