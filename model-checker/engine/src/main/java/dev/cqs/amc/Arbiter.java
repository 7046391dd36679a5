package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The arbiter of a scenario class: a method that runs when all its threads have ended, and sees all that they have done. What it
 * returns is part of the outcome, as with an {@link Actor}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Arbiter {}
