package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A field whose plain accesses may race, as the data of a sequence lock does. They are checked as opaque ones. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RacyAllowed {}
