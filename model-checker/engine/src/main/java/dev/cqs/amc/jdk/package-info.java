/**
 * Models of JDK classes. The checker can neither observe the accesses of a JDK {@code AtomicInteger} nor schedule a JDK
 * {@code Thread}. Instrumented code therefore uses the classes of this package instead. They have the same contract,
 * their state is in fields, and they are instrumented like the code that uses them.
 *
 * <p>Each atomic class is a volatile field, or an array, and a {@code VarHandle} to it. An operation that is one atomic
 * step in the JDK is one event here. An operation that is a compare-and-set loop in the JDK, such as
 * {@code updateAndGet}, is a loop here. The memory effects are those of the JDK's Javadoc.
 *
 * <p>In: calls of instrumented code. Out: field accesses, and calls of {@code bytecode.runtime} for operations that are
 * no field access: start, join, park.
 */
@NullMarked
package dev.cqs.amc.jdk;

import org.jspecify.annotations.NullMarked;
