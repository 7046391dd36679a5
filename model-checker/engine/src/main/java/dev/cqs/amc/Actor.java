package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A thread of a scenario class. The method may have one {@code int} parameter, which gets the index of the copy: 0, 1
 * and so on. It may return an integer, a {@code boolean} or a {@code char}, which is then part of the outcome of the
 * execution. Actors are ordered by the names of their methods.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Actor {

    /** {@return how many threads run the method} */
    int value() default 1;

    /**
     * {@return whether the copies are interchangeable, both to each other and to the arbiter} Symmetry reduction then
     * explores one of two executions that differ only in which copy is which, in half the time. A copy must not depend
     * on its identity: not on its index, nor on the name or hash code of its thread. The reduction applies to the first
     * two copies of the first symmetric actor, whatever others there are.
     */
    boolean symmetric() default false;
}
