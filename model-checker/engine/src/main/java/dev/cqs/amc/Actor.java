package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A thread of a scenario class. The method may have one {@code int} parameter, which tells the copies of an actor
 * apart: 0, 1 and so on. It may return a whole number, a truth value or a character, which is then part of the outcome
 * of the execution. Actors have the order of their methods' names.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Actor {

    /** {@return how many threads run the method} */
    int value() default 1;

    /**
     * {@return whether it makes no difference which copy is which, neither to what the copies do nor to the arbiter}
     * Then of two executions in which two copies are swapped, one is explored, which takes half the time. A copy must
     * not depend on which copy it is: no number, no name or hash code of its thread. There may be more than two copies,
     * and more such actors, but it is the first two copies of the first such actor that are swapped.
     */
    boolean symmetric() default false;
}
