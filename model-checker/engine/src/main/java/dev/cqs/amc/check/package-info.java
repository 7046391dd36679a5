/**
 * The input and the findings of one check: the subject with its threads and locations, the options, the failure that is
 * found, and {@link dev.cqs.amc.check.Exit}, by which a run leaves the code of a thread early.
 *
 * <p>In: a subject and options from a front end ({@code program}, {@code bytecode.scenario}). Out: a failure, which
 * {@code diagnosis} explains.
 */
@NullMarked
package dev.cqs.amc.check;

import org.jspecify.annotations.NullMarked;
