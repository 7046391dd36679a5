/**
 * Programs to watch and to copy. {@link dev.cqs.examples.Demo} measures, for some ten seconds, our mutex and
 * semaphore beside the fair ones of the JDK; {@code mvn -q -Pdemo} builds and runs it. Three small ones show how the
 * library is used: {@link dev.cqs.examples.BoundedWorkers}, {@link dev.cqs.examples.FairCounter}, and, for a
 * primitive of one's own, {@link dev.cqs.examples.TinySemaphore}.
 */
package dev.cqs.examples;
