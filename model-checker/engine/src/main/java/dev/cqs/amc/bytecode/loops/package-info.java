/**
 * Static analysis of loops: finds the loops of a method, the live variables at the head of each, and whether an
 * iteration may access shared memory.
 *
 * <p>In: a method as ASM reads it. Out: {@link dev.cqs.amc.bytecode.loops.Loop}s, at which {@code bytecode.rewrite}
 * inserts hooks. Whether an iteration is a failed iteration of an await is decided at run time, in {@code liveness}.
 */
@NullMarked
package dev.cqs.amc.bytecode.loops;

import org.jspecify.annotations.NullMarked;
