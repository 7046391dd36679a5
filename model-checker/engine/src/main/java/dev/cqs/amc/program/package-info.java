/**
 * The front end for a {@link dev.cqs.amc.Program}: makes a subject of it, and passes on what its threads call.
 *
 * <p>In: a program. Out: a {@link dev.cqs.amc.threads.RunnableSubject}. The other front end is {@code bytecode.scenario}.
 */
@NullMarked
package dev.cqs.amc.program;

import org.jspecify.annotations.NullMarked;
