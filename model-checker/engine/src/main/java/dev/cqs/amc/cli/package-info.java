/**
 * The model checker as a command: {@link dev.cqs.amc.cli.Verify} checks scenario classes from a terminal or a script.
 *
 * <p>In: arguments. Out: verdicts as text or as JSON, and an exit code. It uses the public API of {@code dev.cqs.amc},
 * and the option names of {@link dev.cqs.amc.replay.RecordedOptions}.
 */
@NullMarked
package dev.cqs.amc.cli;

import org.jspecify.annotations.NullMarked;
