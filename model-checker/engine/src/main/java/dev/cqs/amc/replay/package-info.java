/**
 * Recorded executions: serializes an execution as text, parses it, and rebuilds it under the same or another memory
 * model.
 *
 * <p>In: a graph and its failure, or a text. Out: the text, or the parsed events, which the search follows to run the
 * same execution again. {@link dev.cqs.amc.replay.ConsistencyRecheck} answers whether another model, or stronger access
 * modes, allow a graph.
 */
@NullMarked
package dev.cqs.amc.replay;

import org.jspecify.annotations.NullMarked;
