/**
 * Why an execution is wrong, and what would repair it.
 *
 * <p>In: the graph at which the search has stopped, the failure, and the threads as the graph leaves them. Out: a
 * {@link dev.cqs.amc.CounterExample}, which is words, steps and edges, and knows no graph. {@code report} draws it.
 */
@NullMarked
package dev.cqs.amc.diagnosis;

import org.jspecify.annotations.NullMarked;
