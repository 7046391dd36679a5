/**
 * The front end for a {@link dev.cqs.amc.Program}: wraps it as a subject, and forwards the calls of its threads.
 *
 * <p>In: a program. Out: a {@link dev.cqs.amc.threads.RunnableSubject}. The other front end is
 * {@code bytecode.scenario}.
 */
@NullMarked
package dev.cqs.amc.program;

import org.jspecify.annotations.NullMarked;
