/**
 * What instrumented code calls while it runs: turns accesses, loops, monitors and threads into steps of a thread in the graph.
 *
 * <p>In: calls of instrumented code, through the hooks. Out: calls of {@code threads} and {@code liveness}. Outside of an exploration, while a
 * scenario is set up for instance, the hooks do what the source says. {@link dev.cqs.amc.bytecode.runtime.CodeRun} has the overview.
 */
@NullMarked
package dev.cqs.amc.bytecode.runtime;

import org.jspecify.annotations.NullMarked;
