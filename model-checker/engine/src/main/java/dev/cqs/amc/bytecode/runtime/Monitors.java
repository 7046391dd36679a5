package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.threads.ThreadRun;
import java.util.HashMap;
import java.util.Map;

/**
 * The monitors of a run of an actor. A monitor is modelled by two locations: whether it is held, and its wait set, with
 * one bit per thread.
 */
final class Monitors {

    private final CodeRun code;
    private final Heap heap;
    /** The hold count of each monitor that the run holds. */
    private final Map<Shadow, Integer> held = new HashMap<>();
    /** How many monitors the run holds. */
    private int depth;

    Monitors(CodeRun code, Heap heap) {
        this.code = code;
        this.heap = heap;
    }

    /** A run begins. It holds no monitor. */
    void clear() {
        held.clear();
        depth = 0;
    }

    /** How many monitors the run holds. */
    int depth() {
        return depth;
    }

    /** {@code Thread.holdsLock}. */
    boolean holds(Object monitor) {
        return held.containsKey(code.shadow(monitor));
    }

    // Entering and leaving

    void enter(Object monitor, int site) {
        if (Foreign.hasNoIdentity(monitor)) {
            throw code.run.refuse(Refusal.identity(monitor, "The monitor"));
        }
        Shadow shadow = code.shadow(monitor);
        int count = held.getOrDefault(shadow, 0);
        if (count == 0) {
            code.run.waiting().enterMonitor(heap.monitor(shadow), site);
            noteUnescaped(shadow);
        }
        held.put(shadow, count + 1);
        depth++;
    }

    void exit(Object monitor, int site) {
        Shadow shadow = code.shadow(monitor);
        int count = checkHeld(shadow);
        if (count == 1) {
            held.remove(shadow);
            code.run.waiting().exitMonitor(heap.monitor(shadow), site);
            noteUnescaped(shadow);
        } else {
            held.put(shadow, count - 1);
        }
        depth--;
    }

    /** HotSpot removes the monitor of an object that does not escape. Holding it is still state of the run. */
    private void noteUnescaped(Shadow shadow) {
        if (code.isLocal(shadow)) {
            code.run.unescaped().accessed();
        }
    }

    private int checkHeld(Shadow shadow) {
        int count = held.getOrDefault(shadow, 0);
        if (count == 0) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        return count;
    }

    // Waiting and waking

    /** {@code Object.wait}. */
    void waitFor(Object monitor, int site) throws InterruptedException {
        waitFor(monitor, false, false, site);
    }

    /** {@code Object.wait} with a time limit. */
    void waitForSomeTime(Object monitor, long nanos, int site) throws InterruptedException {
        checkHeld(code.shadow(monitor));
        boolean timesOut = code.clock.timesOut(nanos, site);
        try {
            waitFor(monitor, true, timesOut, site);
        } finally {
            if (!timesOut) {
                code.clock.endTimedWait();
            }
        }
    }

    private void waitFor(Object monitor, boolean timed, boolean timesOut, int site) throws InterruptedException {
        ThreadRun run = code.run;
        Shadow shadow = code.shadow(monitor);
        int count = checkHeld(shadow);
        int interrupt = code.interruptFlag();
        checkInterrupt(interrupt, site);
        int waiters = heap.waiters(shadow);
        long me = 1L << code.id;
        run.storeWaitSet(waiters, run.loadWaitSet(waiters, site) | me, site);
        held.remove(shadow);
        run.waiting().exitMonitor(heap.monitor(shadow), site);
        depth--;
        if (timed) {
            run.waiting().waitsAgain();
        }
        if (!timesOut) {
            run.waiting()
                    .await(() -> (run.load(waiters, Mode.OPAQUE, site) & me) == 0
                            || run.load(interrupt, Mode.ACQUIRE, site) != 0);
        }
        enter(monitor, site);
        held.put(shadow, count);
        long left = run.loadWaitSet(waiters, site);
        if ((left & me) != 0) {
            run.storeWaitSet(waiters, left & ~me, site);
            checkInterrupt(interrupt, site);
        }
    }

    private void checkInterrupt(int interrupt, int site) throws InterruptedException {
        if (code.run.load(interrupt, Mode.ACQUIRE, site) != 0) {
            code.run.store(interrupt, 0, Mode.OPAQUE, site);
            throw new InterruptedException();
        }
    }

    /** {@code Object.notify} and {@code Object.notifyAll}. */
    void wake(Object monitor, boolean all, int site) {
        ThreadRun run = code.run;
        Shadow shadow = code.shadow(monitor);
        checkHeld(shadow);
        int waiters = heap.waiters(shadow);
        long waiting = run.load(waiters, Mode.OPAQUE, site);
        if (waiting == 0) {
            return;
        }
        long rest = 0;
        if (!all) {
            int choice = run.choose(Long.bitCount(waiting), site);
            long chosen = waiting;
            for (int i = 0; i < choice; i++) {
                chosen &= chosen - 1;
            }
            rest = waiting & ~Long.lowestOneBit(chosen);
        }
        run.store(waiters, rest, Mode.OPAQUE, site);
    }
}
