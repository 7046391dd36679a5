/**
 * Execution graphs: events in program order (po), reads-from (rf), coherence order (co) and happens-before (hb).
 * From-read (fr) follows from rf and co, so it is not stored.
 *
 * <p>In: events, one at a time, from {@code dpor} and {@code replay}. Out: the graph, which all later stages query. A
 * graph depends neither on a memory model nor on the code that its events come from.
 *
 * <p>A {@link dev.cqs.amc.graph.History} is the sequence of values that a thread has read, and a
 * {@link dev.cqs.amc.graph.Step} what the thread does after it. Threads are deterministic, so both are shared by all
 * graphs.
 */
@NullMarked
package dev.cqs.amc.graph;

import org.jspecify.annotations.NullMarked;
