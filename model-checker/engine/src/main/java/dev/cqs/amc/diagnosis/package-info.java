/**
 * Explains why an execution is wrong, and suggests repairs.
 *
 * <p>In: the graph at which the search stopped, the failure, and the states of the threads. Out: a
 * {@link dev.cqs.amc.CounterExample} of steps, edges and sentences, which holds no graph. {@code report} renders it.
 */
@NullMarked
package dev.cqs.amc.diagnosis;

import org.jspecify.annotations.NullMarked;
