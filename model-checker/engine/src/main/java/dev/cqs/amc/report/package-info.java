/**
 * Renders counter-examples as text, as DOT for Graphviz, and as SVG.
 *
 * <p>In: a {@link dev.cqs.amc.CounterExample}. Out: a string. {@code CounterExample} calls this package, so the two
 * depend on each other.
 */
@NullMarked
package dev.cqs.amc.report;

import org.jspecify.annotations.NullMarked;
