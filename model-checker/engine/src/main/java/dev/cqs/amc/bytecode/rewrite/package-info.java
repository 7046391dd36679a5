/**
 * Instrumentation: rewrites class files, so that accesses, loops and calls go through the hooks of
 * {@code bytecode.runtime}.
 *
 * <p>In: a class file, when {@link dev.cqs.amc.bytecode.rewrite.CheckedLoader} loads the class. Out: the instrumented
 * class, and entries in the {@code CodeTable}. {@link dev.cqs.amc.bytecode.rewrite.Instrumenter} has the order of the
 * steps.
 */
@NullMarked
package dev.cqs.amc.bytecode.rewrite;

import org.jspecify.annotations.NullMarked;
