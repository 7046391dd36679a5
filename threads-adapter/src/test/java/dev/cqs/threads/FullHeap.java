package dev.cqs.threads;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A program whose heap is full while it does one thing: the next allocation throws, however small. It runs in a JVM of its
 * own, with a small heap and without thread-local buffers, in which small objects would still find room. See FullHeapTest.
 */
public final class FullHeap {
    /** A part of a case. */
    public interface Step {
        void run() throws Throwable;
    }

    /** What follows an operation that has thrown this, or null. */
    public interface Check {
        void run(Throwable thrown) throws Throwable;
    }

    /** One operation, and what is around it. */
    public static final class Case {
        private final Step prepare;
        private final Step hit;
        private final Check check;

        /**
         * Makes a case.
         *
         * @param prepare with memory: makes the objects, and brings the threads to where they wait
         * @param hit with a full heap, so it must not allocate for the sake of the test
         * @param check with memory again: everything works, and nothing is left counted
         */
        public Case(Step prepare, Step hit, Check check) {
            this.prepare = prepare;
            this.hit = hit;
            this.check = check;
        }
    }

    /** A thread that keeps what its step has thrown. */
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

        /** Starts it and waits until it is parked. */
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

        /** Waits for the end, but no longer than this. */
        public void endWithin(long nanos) {
            for (long begin = System.nanoTime(); !ended && System.nanoTime() - begin < nanos; ) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        /** Has ended, or will at once, without having thrown anything. */
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
        @SuppressWarnings("unused") // it keeps the others
        private final Object below;

        private Node(Object below) {
            this.below = below;
        }
    }

    /** So many collections in succession that have found no room: then no more will. */
    private static final int CALM = 8;

    private static Object filling;

    /** All that have not been joined. */
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

    /** Nothing was thrown. */
    public static void requireNothing(Throwable thrown) {
        if (thrown != null) {
            throw new AssertionError("it must not throw with a full heap", thrown);
        }
    }

    /** There was no memory for what the operation needs to begin with. */
    public static void requireRefused(Throwable thrown) {
        if (!(thrown instanceof OutOfMemoryError)) {
            throw new AssertionError("it needs memory, and the heap was full", thrown);
        }
    }

    private static void fill() {
        for (int size = 1 << 18; size > 0; size /= 8) {
            fillWith(size);
        }
        for (int calm = 0; calm < CALM; ) { // a collection that has failed may leave some room all the same
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
            // full, for objects of this size
        }
    }

    /** Whether there was room for any. */
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

    /** A thread that comes to its end when the heap is full would leave room: what it alone has held is garbage then. */
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

    /** Has the JDK execute for the first time what it executes while the heap is full. */
    private static void rehearse() throws Throwable {
        Actor parked = new Actor(LockSupport::park);
        Actor sleeping = new Actor(() -> Thread.sleep(1_000_000)); // until it is interrupted
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
     * @param names of the cases, each the name of a class, a hash and the name of a method without parameters
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
