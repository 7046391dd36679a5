/**
 * The memory of a scenario. A graph holds numbers instead of references, so this package numbers objects, and maps
 * fields and array elements to locations. It also models what the values of uninstrumented objects, identity hash codes
 * and clocks may be.
 *
 * <p>In: objects, from {@code bytecode.runtime}. Out: numbers and locations, and their names for reports. Nothing here
 * depends on threads or graphs.
 */
@NullMarked
package dev.cqs.amc.bytecode.heap;

import org.jspecify.annotations.NullMarked;
