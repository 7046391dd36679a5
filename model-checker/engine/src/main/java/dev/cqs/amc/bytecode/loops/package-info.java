/**
 * The loops of a method: where a round begins, which variables are live there, and whether a round may touch what is shared.
 *
 * <p>In: a method as ASM reads it. Out: {@link dev.cqs.amc.bytecode.loops.Loop}s, which {@code bytecode.rewrite} announces to the
 * checker. Whether a round has failed is decided at run time, in {@code liveness}.
 */
@NullMarked
package dev.cqs.amc.bytecode.loops;

import org.jspecify.annotations.NullMarked;
