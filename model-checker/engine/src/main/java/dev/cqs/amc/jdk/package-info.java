/**
 * Models of JDK classes. An {@code AtomicInteger} of the JDK cannot be watched from outside, and a {@code Thread} of
 * the JDK runs when it likes. Instrumented code therefore uses the classes of this package in their place: they keep the
 * same contract with variables that the checker sees, and are instrumented like the code that uses them.
 *
 * <p>The atomic classes are a volatile field, or an array, and a handle to it. What is one atomic step in the JDK is one
 * step here, what the JDK does in a loop, such as {@code updateAndGet}, is a loop here, and the memory effects are those
 * that the Javadoc of the JDK names.
 *
 * <p>In: calls of instrumented code. Out: accesses of fields, and calls of {@code bytecode.runtime} for what no field can stand for:
 * starting, joining, parking.
 */
@NullMarked
package dev.cqs.amc.jdk;

import org.jspecify.annotations.NullMarked;
