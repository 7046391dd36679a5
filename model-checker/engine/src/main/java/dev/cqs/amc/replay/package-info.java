/**
 * Executions that are known already: written down as text, read again, and built once more under another memory model.
 *
 * <p>In: a graph and the failure in it, or a text. Out: the text; for a text that is read, what each event was, by which the search
 * runs the same execution again; and whether another model, or stronger accesses, allow a graph.
 */
@NullMarked
package dev.cqs.amc.replay;

import org.jspecify.annotations.NullMarked;
