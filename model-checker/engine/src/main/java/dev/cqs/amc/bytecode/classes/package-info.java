/**
 * Class files before instrumentation: which classes are instrumented, their super classes and fields, the numbering of
 * fields and access sites, and the calls that cannot be checked.
 *
 * <p>In: class files, and the settings of the check. Out: answers for {@code bytecode.loops} and
 * {@code bytecode.rewrite}, and the {@link dev.cqs.amc.bytecode.classes.CodeTable}, which maps the numbers in
 * instrumented code back to fields and sites at run time.
 */
@NullMarked
package dev.cqs.amc.bytecode.classes;

import org.jspecify.annotations.NullMarked;
