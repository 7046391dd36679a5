package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.Mode;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.heap.Shadowed;
import dev.cqs.amc.check.Exit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The hooks that instrumented code calls in place of the original operations. Outside an exploration, as while a
 * scenario is set up, they execute the original operation. LoopHooks, MemoryHooks and ThreadHooks have the other hooks.
 */
public final class Hooks {

    /** One scenario is checked at a time, because the code of a scenario finds its checker through static fields. */
    public static final ReentrantLock EXCLUSIVE = new ReentrantLock();

    /** The heap of the scenario that is being checked, or null. */
    @SuppressWarnings("NullAway.Init") // read where there is one, or compared with null
    public static Heap heap;
    /** The current run of an actor; null outside all runs. */
    @SuppressWarnings("NullAway.Init") // as above
    static CodeRun current;
    /** The nesting depth of running static initializers, and the run that the outermost one interrupts. */
    private static int initializers;

    private static @Nullable CodeRun interrupted;

    private Hooks() {}

    @SuppressWarnings("NullAway") // see the fields
    public static void useHeap(@Nullable Heap used) {
        heap = used;
        current = null;
        initializers = 0;
        LoopHooks.beginSetUp();
        ThreadHooks.beginSetUp();
    }

    /** Directs the hooks to {@code run}. Returns the previous run. */
    @SuppressWarnings("NullAway") // see the fields
    public static @Nullable CodeRun switchTo(@Nullable CodeRun run) {
        CodeRun before = current;
        current = run;
        return before;
    }

    /** The run whose code calls {@code what}. */
    static CodeRun running(String what) {
        if (current == null) {
            throw new IllegalStateException(
                    what + " can only be called by the actors of a scenario while it is checked.");
        }
        return current;
    }

    // Objects

    /** Called when an object of an instrumented class is made, before the fields of that class are set. */
    public static void created(Shadowed object) {
        if (object.amc$shadow() != null) {
            // The constructor of an uninstrumented super class has called a method of this class.
            return;
        }
        if (current != null) {
            current.created(object);
        } else if (heap != null) {
            object.amc$shadow(heap.newPersistent(object));
        }
    }

    /** {@code Object.clone} of an object of an instrumented class has returned {@code clone}. */
    public static Object cloned(Object clone) {
        if (clone instanceof Shadowed copy) {
            Shadow shadow = copy.amc$shadow();
            copy.amc$shadow(null);
            if (current != null) {
                current.cloned(shadow, copy);
            } else {
                created(copy);
            }
        }
        return clone;
    }

    /** Whether {@code object} has not escaped. */
    private static boolean isLocal(Shadowed object) {
        return current == null || object == null || current.isLocal(current.shadow(object));
    }

    /** Whether the values of {@code object} (may be null) are in its real fields. */
    public static boolean isReal(Shadowed object) {
        return current == null || object == null || current.isReal(current.shadow(object));
    }

    /** The same for static fields: true outside of an exploration. */
    public static boolean isOutside() {
        return current == null;
    }

    /** Reads a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static int getInt(Object object, int field, int site) {
        return (int) current.get(object, field, site);
    }

    /** Reads a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static long getLong(Object object, int field, int site) {
        return current.get(object, field, site);
    }

    /** Reads a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static float getFloat(Object object, int field, int site) {
        return Float.intBitsToFloat((int) current.get(object, field, site));
    }

    /** Reads a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static double getDouble(Object object, int field, int site) {
        return Double.longBitsToDouble(current.get(object, field, site));
    }

    /** Reads a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static @Nullable Object getReference(Object object, int field, int site) {
        return current.received(current.get(object, field, site), site);
    }

    /** Writes a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static void putInt(Object object, int value, int field, int site) {
        current.put(object, field, value, site);
    }

    /** Writes a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static void putLong(Object object, long value, int field, int site) {
        current.put(object, field, value, site);
    }

    /** Writes a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static void putFloat(Object object, float value, int field, int site) {
        current.put(object, field, Float.floatToRawIntBits(value), site);
    }

    /** Writes a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static void putDouble(Object object, double value, int field, int site) {
        current.put(object, field, Double.doubleToRawLongBits(value), site);
    }

    /** Writes a field of {@code object}, or a static field if that is null, in the declared mode. */
    public static void putReference(Object object, Object value, int field, int site) {
        current.put(object, field, current.publish(value, site), site);
    }

    /** A field of a local object, or an element, is about to be overwritten. */
    public static void overwritten(Object holder, int was, int is) {
        if (current != null && was != is) {
            current.overwritten(holder);
        }
    }

    /** A field of a local object, or an element, is about to be overwritten. */
    public static void overwritten(Object holder, long was, long is) {
        if (current != null && was != is) {
            current.overwritten(holder);
        }
    }

    /** A field of a local object, or an element, is about to be overwritten. */
    public static void overwritten(Object holder, float was, float is) {
        if (current != null && Float.floatToRawIntBits(was) != Float.floatToRawIntBits(is)) {
            current.overwritten(holder);
        }
    }

    /** A field of a local object, or an element, is about to be overwritten. */
    public static void overwritten(Object holder, double was, double is) {
        if (current != null && Double.doubleToRawLongBits(was) != Double.doubleToRawLongBits(is)) {
            current.overwritten(holder);
        }
    }

    /** A field of a local object, or an element, is about to be overwritten. */
    public static void overwritten(Object holder, Object was, Object is) {
        if (current != null && was != is) {
            current.overwritten(holder);
        }
    }

    /**
     * A read of a final field of {@code holder}, which the class {@code owner} declares, has returned {@code value}.
     */
    public static void finalRead(Object holder, Object value, String owner) {
        if (current != null) {
            current.finalRead(holder, value);
            watchedFinalRead(holder, value, owner);
        }
    }

    /** The same for a field whose type admits only arrays and objects of instrumented classes. */
    public static void watchedFinalRead(Object holder, Object value, String owner) {
        if (current != null && heap.watchesFreezes()) {
            current.sawFinal(holder, value, owner);
        }
    }

    /** The constructor of {@code owner}, which sets its final fields, has ended. */
    public static void constructed(Shadowed object, String owner) {
        if (current != null) {
            current.constructed(object, owner);
        }
    }

    /** A read of a static final field has returned {@code value}. */
    public static void staticFinalRead(Object value) {
        if (current != null) {
            current.finalRead(null, value);
        }
    }

    /**
     * A field or an element of a local object was read. Uninstrumented calls may change the object that it refers to.
     */
    public static void localRead(Object value) {
        if (current != null) {
            current.inHands(value);
        }
    }

    /** The error to throw instead of {@code reason}, which the code might catch. */
    static Error refused(UncheckableException reason) {
        if (current == null) {
            throw reason;
        }
        return current.run.refuse(reason);
    }

    /** {@code VarHandle.fullFence} and the other fences; {@code mode} is the ordinal of the {@link Mode}. */
    public static void fence(int mode, int site) {
        if (current != null) {
            current.fence(Mode.values()[mode], site);
        }
    }

    // Monitors. The set-up has a single thread, so it needs none.

    /** Begins a synchronized block. */
    public static void monitorEnter(Object monitor, int site) {
        java.util.Objects.requireNonNull(monitor);
        if (current != null) {
            current.monitors.enter(monitor, site);
        }
    }

    /** Ends a synchronized block. */
    public static void monitorExit(Object monitor, int site) {
        if (current != null) {
            current.monitors.exit(monitor, site);
        }
    }

    /** {@code Object.wait}. */
    public static void wait(Object monitor, int site) throws InterruptedException {
        running("Object.wait").monitors.waitFor(monitor, site);
    }

    /** {@code Object.wait} with a time limit. */
    public static void wait(Object monitor, long millis, int site) throws InterruptedException {
        wait(monitor, millis, 0, site);
    }

    /** {@code Object.wait} with a time limit. */
    public static void wait(Object monitor, long millis, int nanos, int site) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999_999) {
            throw new IllegalArgumentException("timeout value is negative, or has too many nanoseconds");
        }
        CodeRun run = running("Object.wait");
        if (millis == 0 && nanos == 0) {
            run.monitors.waitFor(monitor, site);
        } else {
            run.monitors.waitForSomeTime(
                    monitor,
                    Math.max(TimeUnit.MILLISECONDS.toNanos(millis), TimeUnit.MILLISECONDS.toNanos(millis) + nanos),
                    site);
        }
    }

    /** {@code Object.notify}. */
    public static void notify(Object monitor, int site) {
        if (current != null) {
            current.monitors.wake(monitor, false, site);
        }
    }

    /** {@code Object.notifyAll}. */
    public static void notifyAll(Object monitor, int site) {
        if (current != null) {
            current.monitors.wake(monitor, true, site);
        }
    }

    // Identity, time, randomness

    /** Whether two references are equal. */
    public static boolean same(Object one, Object other) {
        return current == null || one == null || other == null ? one == other : current.same(one, other);
    }

    /** {@code System.identityHashCode}. */
    public static int identityHashCode(Object object) {
        if (heap == null || object == null) {
            return System.identityHashCode(object);
        }
        if (Foreign.hasNoIdentity(object)) {
            throw refused(Refusal.identity(object, "The identity hash code"));
        }
        return current == null ? heap.identityHash(heap.shadowOfSetUp(object)) : current.identityHash(object);
    }

    /** A call of {@code hashCode} on an object that may inherit that of {@code Object}. */
    public static int hashCode(Object object) {
        if (Foreign.hasHashOfIdentity(object)) {
            return identityHashCode(object);
        }
        hashed(object);
        return object.hashCode();
    }

    /** Code of the JDK is about to use the hash code of this object, or of objects that it holds. */
    public static void hashed(Object object) {
        if (heap != null && Foreign.holdsHashOfTheMachine(object)) {
            heap.notes().realIdentityHash();
        }
    }

    /** Code of the JDK is about to call {@code toString} on this object. */
    public static void printed(Object object) {
        if (heap != null && Foreign.hasTextOfIdentity(object)) {
            hashed(object);
        }
    }

    /** A unique number of an object, in the order in which objects are made: the id of a thread. */
    public static long number(Object object) {
        if (heap != null) {
            heap.notes().threadId();
        }
        return heap == null || object == null
                ? System.identityHashCode(object)
                : current == null ? heap.number(object) : current.number(object);
    }

    /** {@code System.nanoTime}. */
    public static long nanoTime() {
        return current != null
                ? current.clock.now(0)
                : heap != null ? heap.times().ofSetUp() : System.nanoTime();
    }

    /** {@code System.currentTimeMillis}. */
    public static long currentTimeMillis() {
        return heap == null ? System.currentTimeMillis() : nanoTime() / 1_000_000;
    }

    /** Called before a call that iterates over {@code object}, if that is a set or a map. */
    public static void walks(Object object) {
        if (current != null && object != null && Foreign.hasOrderOfChance(object)) {
            heap.notes().iterationOrder(object);
        }
    }

    /** Called before a call that adds something to {@code object}, if that is an exception. */
    public static void changing(Object object) {
        if (current != null && object instanceof Throwable thrown) {
            current.changing(thrown);
        }
    }

    /** Refuses an operation that would bypass the checker later, even if it is called during the set-up. */
    public static void refuseAlways(String sentence) {
        if (heap != null) {
            throw refused(new UncheckableException(sentence));
        }
    }

    /** A constructor has written a final field. The object must not have escaped by then. */
    public static void finalWritten(Shadowed object, String field) {
        if (current != null && !isLocal(object)) {
            throw refused(Refusal.leaked(object, field));
        }
    }

    /** Refuses an operation that cannot be checked. Does nothing outside an exploration. */
    public static void refuse(String sentence) {
        if (current != null) {
            throw refused(new UncheckableException(sentence));
        }
    }

    // Control flow

    /** Called first in every exception handler: rethrows the errors that end the check or unwind a thread. */
    public static void caught(Throwable thrown) {
        boolean ends = Exit.endsCheck(thrown);
        if (current != null && ends) {
            current.run.refuse(thrown);
        }
        if (current != null ? current.run.isLeaving() : ends) {
            throw CodeRun.<Error>sneaky(thrown);
        }
    }

    /** A static initializer begins. It is part of the set-up. */
    public static void beginInitializer() {
        if (initializers++ == 0) {
            interrupted = switchTo(null);
        }
    }

    /** A static initializer ends. */
    public static void endInitializer() {
        if (--initializers == 0) {
            switchTo(interrupted);
        }
    }

    // Scenarios

    /** {@link dev.cqs.amc.Execution#choose}. */
    public static int choose(int options) {
        CodeRun run = running("Execution.choose");
        if (options < 1) {
            throw new IllegalArgumentException(
                    "There must be something to choose from, but there are " + options + " options.");
        }
        return run.run.choose(options, 0);
    }

    /** {@link dev.cqs.amc.Execution#assume}. */
    public static void assume(boolean condition) {
        running("Execution.assume").run.assume(condition);
    }

    /** {@link dev.cqs.amc.Execution#observe}. */
    public static void observe(long value) {
        running("Execution.observe").run.observe(value);
    }
}
