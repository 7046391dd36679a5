package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.UncheckableException;

/** Says what cannot be checked, and what to do. */
public final class Refusal {

    private Refusal() {}

    /** What to do about a class that is not instrumented, by its binary name. */
    public static String instrument(String type) {
        String name = type.substring(0, Math.max(0, type.lastIndexOf('.')));
        return "Instrument its package by --instrument " + name + ", in a test by instrument(\"" + name + "\")";
    }

    /** An object is shared that cannot be watched. */
    public static UncheckableException foreign(Object object) {
        String type = object.getClass().getName();
        return new UncheckableException("An object of " + type
                + " is shared between threads, but its class is not instrumented, so what"
                + " happens to it cannot be seen. " + (Scope.isPlatform(type) ? "Do without it" : instrument(type))
                + ", or give each thread its own.");
    }

    /** An array is shared, and about to be passed to code that is not instrumented. */
    public static UncheckableException passed(Object array, String place) {
        return new UncheckableException(
                "An array of type " + array.getClass().getTypeName() + " that other threads may know is passed"
                        + " at " + place
                        + " to code that is not instrumented, so what happens to its elements cannot be seen. Copy it first,"
                        + " or use a loop.");
    }

    /** An array gets known to other threads, after it was passed to code that is not instrumented and keeps it. */
    public static UncheckableException kept(Object array, String place) {
        return new UncheckableException(
                "An array of type " + array.getClass().getTypeName() + " that other threads get to know was passed"
                        + " at " + place
                        + " to code that is not instrumented and keeps it, so what happens to its elements cannot be seen. Copy it"
                        + " first.");
    }

    /** An object gets known before its constructor has written all its final fields. */
    public static UncheckableException leaked(Object object, String field) {
        return new UncheckableException("The final field " + field + " of an object of "
                + object.getClass().getName() + " is written when"
                + " other threads may know the object already, and then nothing is said of what they see in it. Publish the object when"
                + " its constructor has ended.");
    }

    /** Two strings or boxes are equal, and whether they are one object is not known. */
    public static UncheckableException equalValues(Object value) {
        String shown = value instanceof String ? "\"" + value + "\"" : value.toString();
        return new UncheckableException(
                "Objects of " + value.getClass().getName() + " that are equal, " + shown + ", are compared by"
                        + " reference, and which of them are one object is not followed. Compare them by equals, or compare objects of another"
                        + " class.");
    }

    /** The monitor or the hash code of a string or box is asked for, and which of them are one object is not followed. */
    public static UncheckableException identity(Object value, String what) {
        return new UncheckableException(
                what + " of an object of " + value.getClass().getName() + " is used. Equal ones may be one"
                        + " object or two, and which of them are one is not followed. Use an object of a class of your own, or new Object().");
    }

    /** An exception gets a cause, or something like it, when other threads may know it. */
    public static UncheckableException changed(Throwable thrown) {
        return new UncheckableException(
                "An exception of " + thrown.getClass().getName() + " is changed that other threads may know, by"
                        + " initCause, addSuppressed, setStackTrace or fillInStackTrace, and which threads see that cannot be followed. Make another"
                        + " exception, with this one as its cause.");
    }

    /** A variable handle of references is used with a value that is none. */
    public static UncheckableException unboxed(java.lang.invoke.VarHandle handle) {
        return new UncheckableException(
                "The variable handle " + handle + " of a reference is used with a value of a primitive type, and"
                        + " how Java boxes it is not followed. Box it, or cast what is returned to a class.");
    }

    /** An object has reached a thread in a way that was not seen. */
    public static UncheckableException untraced(Object object, String maker) {
        return new UncheckableException(
                "An object of " + object.getClass().getName() + " that " + maker + " has made has reached"
                        + " another thread through an object whose class is not instrumented. Instrument the package of that class too, by"
                        + " --instrument, in a test by instrument.");
    }
}
