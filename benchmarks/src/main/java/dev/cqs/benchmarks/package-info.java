/**
 * Benchmarks of the library beside its peers. {@link dev.cqs.benchmarks.Figures} measures and prints them. Each other
 * benchmark class is the work of one group of rows, and says what it measures and what it does not.
 */
package dev.cqs.benchmarks;
