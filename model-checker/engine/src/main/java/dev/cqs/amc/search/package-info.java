/**
 * The search: takes an option, runs the threads in the graph that comes of it, and looks at the result, until no option is left, an
 * error is found or a limit is reached.
 *
 * <p>In: a subject and options. Out: a {@link dev.cqs.amc.Result}. {@link dev.cqs.amc.search.Explorer} has the main loop, and its
 * overview comment the algorithm as a whole; the parts are in {@code dpor}, {@code models}, {@code threads} and {@code liveness}.
 */
@NullMarked
package dev.cqs.amc.search;

import org.jspecify.annotations.NullMarked;
