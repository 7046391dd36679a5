package dev.cqs.amc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field on which data races are allowed, as on the data of a sequence lock. Its plain accesses are checked as opaque
 * ones.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RacyAllowed {}
