/**
 * Instrumentation: turns class files into ones whose accesses and calls go to the hooks of {@code bytecode.runtime}.
 *
 * <p>In: a class file, when {@link dev.cqs.amc.bytecode.rewrite.CheckedLoader} is asked for the class. Out: the class that is loaded in
 * its place, and entries in the {@code CodeTable}. {@link dev.cqs.amc.bytecode.rewrite.Instrumenter} has the order of the steps.
 */
@NullMarked
package dev.cqs.amc.bytecode.rewrite;

import org.jspecify.annotations.NullMarked;
