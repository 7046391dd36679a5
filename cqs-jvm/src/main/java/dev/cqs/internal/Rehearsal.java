package dev.cqs.internal;

import java.lang.invoke.MethodHandles;

/**
 * Does the allocations of a first use in advance, while they can still fail harmlessly.
 *
 * <p>The first use of many things allocates without any {@code new} in the source. HotSpot links the accesses through a
 * {@link java.lang.invoke.VarHandle} once for each class, mode and types, by code of the JDK that allocates. The same holds
 * for lambdas and string concatenation. HotSpot loads and initializes a class where it is first needed, and makes the object
 * of a string constant likewise. With a full heap all of that throws an {@link OutOfMemoryError}. Between a step that
 * announces something to other threads and the step that completes it, such an error would leave the announcement standing
 * for ever: a counted request without a waiter, a cell that is never decided.
 *
 * <p>So a class that has such steps <em>rehearses</em> when it is initialized: it executes each of its accesses once, on
 * objects that no other thread sees, and initializes the classes that these steps need. An access that only this class makes
 * counts for the whole class, wherever in it the access stands.
 *
 * <p>Linking that fails, in a rehearsal or elsewhere, is tried again by the next execution. A class whose
 * <em>initialization</em> fails for want of memory is unusable for the rest of the program, by the rules of the language.
 * That cannot be avoided for the lookups of the handles themselves, and it holds for an error in a rehearsal in a static
 * block as well. The rehearsals of the coroutines catch the error instead, which leaves their classes usable but not
 * rehearsed.
 *
 * <p>Such an error can happen where a class is first used: when a program makes the first primitive of a kind, the first
 * view of one, or the first object that these make on request, such as a condition or a future. A program that must be safe
 * from it makes one of each when it starts.
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
