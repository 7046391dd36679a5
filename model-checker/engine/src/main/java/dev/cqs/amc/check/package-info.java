/**
 * What one check is about, and what comes of it: the subject with its threads and locations, the options, what the run of a
 * graph finds, and how a run leaves the code of a thread before the code has come to its end.
 *
 * <p>In: a subject and options from a front end ({@code program}, {@code bytecode.scenario}). Out: a failure, for {@code diagnosis}
 * to explain.
 */
@NullMarked
package dev.cqs.amc.check;

import org.jspecify.annotations.NullMarked;
