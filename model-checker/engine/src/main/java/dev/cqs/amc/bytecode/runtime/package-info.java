/**
 * The hooks that instrumented code calls while it runs. They turn accesses, loop iterations, monitor operations and
 * thread operations into events of the graph.
 *
 * <p>In: calls of instrumented code, through the hooks. Out: calls of {@code threads} and {@code liveness}. Outside an
 * exploration, as while a scenario is set up, the hooks execute the operation on real memory.
 * {@link dev.cqs.amc.bytecode.runtime.CodeRun} has the overview.
 */
@NullMarked
package dev.cqs.amc.bytecode.runtime;

import org.jspecify.annotations.NullMarked;
