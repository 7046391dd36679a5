package dev.cqs.amc.bytecode;

/** Marks the class loader whose classes are instrumented. */
interface InstrumentedClasses {
}
