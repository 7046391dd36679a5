/**
 * The front end for scenario classes: finds the actors, constructs the scenario, and runs the search. The search runs
 * again under other assumptions (orders of identity hash codes, clocks) when the code turns out to depend on them, and
 * once more with each repair that a counter-example suggests.
 *
 * <p>In: a class with {@link dev.cqs.amc.Actor} methods, settings and options. Out: a {@link dev.cqs.amc.Result}. The
 * other front end is {@code program}.
 */
@NullMarked
package dev.cqs.amc.bytecode.scenario;

import org.jspecify.annotations.NullMarked;
