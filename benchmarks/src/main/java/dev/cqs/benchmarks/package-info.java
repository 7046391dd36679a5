/**
 * The figures of the library beside those of its peers. {@link dev.cqs.benchmarks.Figures} measures and prints them;
 * each other class is the work of one group of rows and says what it measures and what it does not.
 */
package dev.cqs.benchmarks;
