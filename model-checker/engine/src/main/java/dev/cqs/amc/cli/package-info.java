/**
 * The model checker as a command: {@link dev.cqs.amc.cli.Verify} checks scenario classes from a terminal or a script.
 *
 * <p>In: arguments. Out: verdicts as text or as JSON, and an exit code. It uses what every user of {@code dev.cqs.amc} can use, and the
 * names of options that a recording keeps.
 */
@NullMarked
package dev.cqs.amc.cli;

import org.jspecify.annotations.NullMarked;
