/** The model checker as a command: {@link dev.cqs.amc.cli.Verify} checks scenario classes from a terminal or a script. */
package dev.cqs.amc.cli;
