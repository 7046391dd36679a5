package dev.cqs.internal;

import java.lang.invoke.MethodHandles;

/**
 * What a class needs the first time it is used, needed before it can hurt.
 *
 * <p>The first use of many things allocates, behind the back of the code. HotSpot links the accesses through a {@link
 * java.lang.invoke.VarHandle} once for each class, mode and types, by code of the JDK that allocates; so it does lambdas and
 * string concatenation; it loads and initializes a class, and makes the object of a string constant, where each is first
 * needed. With a full heap all of that throws an {@link OutOfMemoryError}. Between a step that announces something to
 * other threads and the step that completes it, such an error would leave the announcement standing for ever: a request
 * counted that nobody makes, a cell that is never decided.
 *
 * <p>So a class that has such steps <em>rehearses</em> when it is initialized: it executes each of its accesses once, on
 * objects that nobody else sees, and initializes the classes that these steps need. An access that only this class makes
 * counts for the whole class, wherever in it the access stands. Linking that fails, in a rehearsal or elsewhere, is tried
 * again by the next execution; a class whose <em>initialization</em> fails for want of memory is unusable for the rest of
 * the program, by the rules of the language. That cannot be helped for the lookups of the handles themselves, and it holds
 * for an error in a rehearsal in a static block as well; the rehearsals of the coroutines are given up instead, which
 * leaves their classes usable and cold. It can happen where such a class is first used: as the first primitive of a kind
 * is made, the first view of one, or the first of what these make when they are asked to, such as a condition or a
 * future. A program that wants to be safe from it makes one of each when it starts.
 */
public final class Rehearsal {
    private Rehearsal() {}

    /** Initializes classes that the owner of the lookup will need. */
    public static void initialize(MethodHandles.Lookup owner, Class<?>... needed) {
        try {
            for (Class<?> each : needed) {
                owner.ensureInitialized(each);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
