package dev.cqs.amc.bytecode.runtime;

/** Marks the class loader whose classes are instrumented. */
public interface InstrumentedClasses {}
