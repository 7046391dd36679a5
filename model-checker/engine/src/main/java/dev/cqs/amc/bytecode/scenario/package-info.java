/**
 * The front end for scenario classes: finds their actors, sets them up, has the search explore them, and does so again when the
 * circumstances were not as taken for granted, or with the repairs that a counter-example suggests.
 *
 * <p>In: a class with {@link dev.cqs.amc.Actor} methods, settings and options. Out: a {@link dev.cqs.amc.Result}. The other front
 * end is {@code program}.
 */
@NullMarked
package dev.cqs.amc.bytecode.scenario;

import org.jspecify.annotations.NullMarked;
