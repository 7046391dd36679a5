package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.UncheckableException;

/** The messages for code that cannot be checked: the reason, and what to do. */
public final class Refusal {

    private Refusal() {}

    /** The advice for a class that is not instrumented, by its binary name. */
    public static String instrument(String type) {
        String name = type.substring(0, Math.max(0, type.lastIndexOf('.')));
        return "Instrument its package by --instrument " + name + ", in a test by instrument(\"" + name + "\")";
    }

    /** A foreign object is shared between threads. */
    public static UncheckableException foreign(Object object) {
        String type = object.getClass().getName();
        return new UncheckableException("An object of " + type
                + " is shared between threads, but its class is not instrumented, so the"
                + " checker cannot follow its accesses. "
                + (Scope.isPlatform(type) ? "Do without it" : instrument(type))
                + ", or give each thread its own.");
    }

    /** An array that has escaped is about to be passed to uninstrumented code. */
    public static UncheckableException passed(Object array, String place) {
        return new UncheckableException(
                "An array of type " + array.getClass().getTypeName() + " that other threads may access is passed"
                        + " at " + place
                        + " to code that is not instrumented, so the checker cannot follow its elements. Copy it first,"
                        + " or use a loop.");
    }

    /** An array escapes after it was passed to uninstrumented code that keeps it. */
    public static UncheckableException kept(Object array, String place) {
        return new UncheckableException(
                "An array of type " + array.getClass().getTypeName() + " that escapes to other threads was passed"
                        + " at " + place
                        + " to code that is not instrumented and keeps it, so the checker cannot follow its elements. Copy it"
                        + " first.");
    }

    /** An object escapes before its constructor has written all its final fields. */
    public static UncheckableException leaked(Object object, String field) {
        return new UncheckableException("The final field " + field + " of an object of "
                + object.getClass().getName() + " is written when"
                + " other threads may already have the object, and then Java promises nothing about its value. Publish the object after"
                + " its constructor has ended.");
    }

    /** Two equal strings or boxes are compared by reference, and it is unknown whether they are identical. */
    public static UncheckableException equalValues(Object value) {
        String shown = value instanceof String ? "\"" + value + "\"" : value.toString();
        return new UncheckableException(
                "Objects of " + value.getClass().getName() + " that are equal, " + shown + ", are compared by"
                        + " reference, and the checker does not track which of them are identical. Compare them by equals, or compare objects of another"
                        + " class.");
    }

    /**
     * The monitor or the identity hash code of a string or box is used, and it is unknown which equal ones are
     * identical.
     */
    public static UncheckableException identity(Object value, String what) {
        return new UncheckableException(
                what + " of an object of " + value.getClass().getName() + " is used. Equal ones may be one"
                        + " object or two, and the checker does not track which. Use an object of a class of your own, or new Object().");
    }

    /** An exception that has escaped is changed. */
    public static UncheckableException changed(Throwable thrown) {
        return new UncheckableException(
                "An exception of " + thrown.getClass().getName() + " that other threads may have is changed by"
                        + " initCause, addSuppressed, setStackTrace or fillInStackTrace, and the checker cannot follow which threads see that. Make another"
                        + " exception, with this one as its cause.");
    }

    /** A variable handle of a reference variable is used with a primitive value. */
    public static UncheckableException unboxed(java.lang.invoke.VarHandle handle) {
        return new UncheckableException(
                "The variable handle " + handle + " of a reference is used with a value of a primitive type, and"
                        + " the checker does not model its boxing. Box it, or cast the returned value to a class.");
    }

    /** An object has reached a thread in a way that the checker did not observe. */
    public static UncheckableException untraced(Object object, String maker) {
        return new UncheckableException(
                "An object of " + object.getClass().getName() + " that " + maker + " has made has reached"
                        + " another thread through an object whose class is not instrumented. Instrument the package of that class too, by"
                        + " --instrument, in a test by instrument.");
    }
}
