package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The arbiter of a scenario class: a method that runs after all threads have ended. Everything the threads did happens
 * before it. What it returns is part of the outcome, as for an {@link Actor}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Arbiter {}
