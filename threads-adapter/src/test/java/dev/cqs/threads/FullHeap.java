package dev.cqs.threads;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A program that runs one operation with a full heap: every allocation throws, however small. It runs in a JVM of its own,
 * with a small heap and without thread-local buffers, in which small objects would still fit. {@link FullHeapTest} starts it.
 */
public final class FullHeap {
    /** A part of a case. */
    public interface Step {
        void run() throws Throwable;
    }

    /** Checks the state after the operation, which has thrown {@code thrown}, or nothing if that is null. */
    public interface Check {
        void run(Throwable thrown) throws Throwable;
    }

    /** One operation, with its preparation and its check. */
    public static final class Case {
        private final Step prepare;
        private final Step hit;
        private final Check check;

        /**
         * Makes a case.
         *
         * @param prepare runs with memory: creates the objects, and starts the threads that wait
         * @param hit runs with a full heap, so its test code must not allocate
         * @param check runs with memory again: everything works, and no request is left counted
         */
        public Case(Step prepare, Step hit, Check check) {
            this.prepare = prepare;
            this.hit = hit;
            this.check = check;
        }
    }

    /** A thread that records what its step throws. */
    public static final class Actor extends Thread {
        private final Step step;
        private volatile Throwable thrown;
        private volatile boolean ended;

        public Actor(Step step) {
            this.step = step;
            setDaemon(true);
            ACTORS.add(this);
        }

        @Override
        public void run() {
            try {
                step.run();
            } catch (Throwable t) {
                thrown = t;
            }
            ended = true;
        }

        /** Starts the thread and waits until it is parked. */
        public void startAndPark() {
            start();
            await(() -> getState() == State.WAITING || getState() == State.TIMED_WAITING);
        }

        /** Waits for the end, without allocating. */
        public Throwable end() {
            while (!ended) {
                LockSupport.parkNanos(1_000_000);
            }
            return thrown;
        }

        /** Waits for the end, for {@code nanos} nanoseconds at most. */
        public void endWithin(long nanos) {
            for (long begin = System.nanoTime(); !ended && System.nanoTime() - begin < nanos; ) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        /** Waits for the end, and requires that nothing was thrown. */
        public void endWell() throws Throwable {
            if (end() != null) {
                throw thrown;
            }
        }

        public boolean hasEnded() {
            return ended;
        }
    }

    private static final class Node {
        @SuppressWarnings("unused") // keeps the other nodes reachable
        private final Object below;

        private Node(Object below) {
            this.below = below;
        }
    }

    /** After this many collections in a row that freed nothing, the heap counts as full. */
    private static final int CALM = 8;

    private static Object filling;

    /** The threads that were not joined yet. */
    private static final List<Actor> ACTORS = new ArrayList<>();

    private FullHeap() {}

    public static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(100_000);
        }
    }

    public static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** Requires that the operation has thrown nothing. */
    public static void requireNothing(Throwable thrown) {
        if (thrown != null) {
            throw new AssertionError("the operation must not throw with a full heap", thrown);
        }
    }

    /** Requires that the operation has thrown before it did anything, because it needs memory. */
    public static void requireRefused(Throwable thrown) {
        if (!(thrown instanceof OutOfMemoryError)) {
            throw new AssertionError("the operation needs memory, and must throw OutOfMemoryError", thrown);
        }
    }

    private static void fill() {
        for (int size = 1 << 18; size > 0; size /= 8) {
            fillWith(size);
        }
        for (int calm = 0; calm < CALM; ) { // a collection may free some memory though its allocation failed
            calm = fillWithNodes() ? 0 : calm + 1;
        }
    }

    private static void fillWith(int size) {
        try {
            for (; ; ) {
                Object[] block = new Object[size];
                block[0] = filling;
                filling = block;
            }
        } catch (OutOfMemoryError e) {
            // the heap is full for objects of this size
        }
    }

    /** Whether at least one node fitted. */
    private static boolean fillWithNodes() {
        boolean any = false;
        try {
            for (; ; ) {
                filling = new Node(filling);
                any = true;
            }
        } catch (OutOfMemoryError e) {
            return any;
        }
    }

    /** Joins the ended threads. A thread that ended with a full heap would free what only it has referenced. */
    private static void joinTheEnded() throws InterruptedException {
        for (Actor each : ACTORS) {
            if (each.hasEnded()) {
                each.join();
            }
        }
        ACTORS.removeIf(Actor::hasEnded);
    }

    private static void run(Case one) throws Throwable {
        one.prepare.run();
        joinTheEnded();
        Throwable thrown = null;
        fill();
        try {
            one.hit.run();
        } catch (Throwable t) {
            thrown = t;
        }
        filling = null;
        one.check.run(thrown);
    }

    /** Executes the JDK's code that the cases use once, so that it needs no memory for linking later. */
    private static void rehearse() throws Throwable {
        Actor parked = new Actor(LockSupport::park);
        Actor sleeping = new Actor(() -> Thread.sleep(1_000_000)); // ends by an interrupt
        run(new Case(
                () -> {
                    parked.startAndPark();
                    sleeping.startAndPark();
                },
                () -> {
                    sleeping.interrupt();
                    sleeping.end();
                    LockSupport.unpark(parked);
                    parked.end();
                    throw new OutOfMemoryError();
                },
                FullHeap::requireRefused));
        CompletableFuture<Object> future = new CompletableFuture<>();
        future.whenComplete((result, failure) -> {});
        future.cancel(false);
        CompletableFuture<Object> completed = new CompletableFuture<>();
        completed.thenAccept(result -> {});
        completed.complete("");
    }

    /**
     * Runs cases, each with a full heap.
     *
     * @param names the cases, each as class name, '#' and name of a method without parameters
     */
    public static void main(String[] names) throws Throwable {
        rehearse();
        for (String name : names) {
            String[] parts = name.split("#");
            Method method = Class.forName(parts[0]).getDeclaredMethod(parts[1]);
            method.setAccessible(true);
            run((Case) method.invoke(null));
            System.out.println("passed " + name);
        }
        System.exit(0);
    }
}
