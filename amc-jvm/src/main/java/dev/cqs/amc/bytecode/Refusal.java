package dev.cqs.amc.bytecode;

import dev.cqs.amc.UncheckableException;

/** Says what can not be checked, and what to do. */
final class Refusal {

    private Refusal() {
    }

    /** An object is shared that can not be watched. */
    static UncheckableException foreign(Object object) {
        String type = object.getClass().getName();
        return new UncheckableException("An object of " + type + " is shared between threads, but its class is not instrumented, so what"
                + " happens to it can not be seen. " + (Scope.isPlatform(type) ? "Do without it" : "Instrument its package")
                + ", or give each thread its own.");
    }

    /** An object has reached a thread in a way that was not seen. */
    static UncheckableException untraced(Object object, String maker) {
        return new UncheckableException("An object of " + object.getClass().getName() + " that " + maker + " has made has reached"
                + " another thread through an object whose class is not instrumented. Instrument that class too.");
    }
}
