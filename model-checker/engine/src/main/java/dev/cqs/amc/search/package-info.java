/**
 * The search: pops a work item, runs the threads in the graph that results, and inspects the execution. It ends when no
 * work is left, an error is found or a limit is reached.
 *
 * <p>In: a subject and options. Out: a {@link dev.cqs.amc.Result}. {@link dev.cqs.amc.search.Explorer} has the main
 * loop, and its overview comment describes the algorithm. The parts of the algorithm are in {@code dpor},
 * {@code models}, {@code threads} and {@code liveness}.
 */
@NullMarked
package dev.cqs.amc.search;

import org.jspecify.annotations.NullMarked;
