/**
 * What is known of class files before one is changed: which classes are instrumented, their shapes, the fields and places that have
 * numbers, and what cannot be checked.
 *
 * <p>In: class files, and the settings of the check. Out: answers for {@code bytecode.loops} and {@code bytecode.rewrite}, and at run time
 * the {@link dev.cqs.amc.bytecode.classes.CodeTable} with what a number stands for.
 */
@NullMarked
package dev.cqs.amc.bytecode.classes;

import org.jspecify.annotations.NullMarked;
