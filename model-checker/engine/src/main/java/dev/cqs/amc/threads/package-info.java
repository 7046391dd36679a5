/**
 * Runs threads in the current graph. A run executes the code of the thread from its beginning, replays the thread's
 * events that are in the graph, and then extends the graph. Where the next step is memoized from other graphs, no code
 * runs.
 *
 * <p>In: a thread that is ready, from the search. Out: events for {@code dpor}, iterations for {@code liveness}, errors
 * for the findings. The code of a thread calls {@link dev.cqs.amc.threads.ThreadRun}; a front end implements
 * {@link dev.cqs.amc.threads.RunnableSubject}. A run sees the search as a {@link dev.cqs.amc.dpor.Exploration}.
 */
@NullMarked
package dev.cqs.amc.threads;

import org.jspecify.annotations.NullMarked;
