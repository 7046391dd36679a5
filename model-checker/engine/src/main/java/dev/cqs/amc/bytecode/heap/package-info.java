/**
 * The memory of a scenario: numbers for objects, because a graph holds numbers instead of references, locations for fields and
 * elements, the objects whose classes are not instrumented, identity hash codes, and times.
 *
 * <p>In: objects, from {@code bytecode.runtime}. Out: numbers and locations, and the names that reports have for them. Nothing here
 * knows a thread or a graph.
 */
@NullMarked
package dev.cqs.amc.bytecode.heap;

import org.jspecify.annotations.NullMarked;
