/**
 * Execution graphs: the events of every thread in program order, the source of every read, the order of the writes to every
 * location, and what happens before what.
 *
 * <p>In: events, one at a time, from the stages that build a graph. Out: the graph, for everything that asks about one. A graph
 * knows neither a memory model nor the code that its events come from.
 *
 * <p>{@link dev.cqs.amc.graph.History} and {@link dev.cqs.amc.graph.Step} say what a thread has done and does next, by what it has
 * read: they are the same in all graphs in which that is the same.
 */
@NullMarked
package dev.cqs.amc.graph;

import org.jspecify.annotations.NullMarked;
