package dev.cqs.amc.bytecode;

import dev.cqs.amc.Mode;
import dev.cqs.amc.engine.ThreadRun;
import dev.cqs.amc.engine.Update;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A run of an actor's instrumented code: turns what it does into steps of its thread in the graph.
 */
final class CodeRun {
    /*
     * Replaying without switching between threads. A run of an actor begins at its beginning, and reads from the graph
     * the numbers of objects that other actors make. An object with such a number is needed then, made in this
     * execution, because its final fields may differ from those of another one. So its maker is run first, within
     * this run, until it has made the object; it goes on as far as it can. It may need in turn an object that this
     * run, further down on the stack, has yet to make; then it is left, and run again later, from its beginning.
     * It has made what was asked for by then: program order and reads-from together have no cycle.
     *
     * So there may be several real objects for one number in an execution. They do not differ: what others know of
     * them is in the graph, under their number; their final fields hold what the same run of the same code has put
     * there; and Hooks.same compares numbers.
     */

    private static final long DAY = 86_400_000_000_000L;

    private final Heap heap;
    private final CodeTable code;
    private final ScenarioSubject scenario;

    ThreadRun run;
    int id;
    /** How many objects the run has made. */
    private int made;
    /** How many threads the run has started. */
    private int started;
    /** Counts what the run has done besides steps in the graph, so that a round of a loop can tell whether it has. */
    private int effects;
    /** How many monitors the run has entered and not left. */
    private int depth;
    private long[] stateAtRound = new long[8];
    private long[] live = new long[16];
    private int liveCount;
    private final Map<Shadow, Integer> held = new HashMap<>();
    private long clock;
    private int looks;
    private boolean dayPassed;

    CodeRun(ScenarioSubject scenario, Heap heap, CodeTable code) {
        this.heap = heap;
        this.scenario = scenario;
        this.code = code;
    }

    /** Begins a run of an actor. */
    void begin(ThreadRun run) {
        this.run = run;
        id = run.id();
        made = 0;
        started = 0;
        effects = 0;
        depth = 0;
        clock = 0;
        looks = 0;
        dayPassed = false;
        held.clear();
    }

    // Objects

    void created(Shadowed object) {
        object.amc$shadow(heap.newLocal(object, id, made++));
    }

    void newArray(Object array) {
        heap.newLocal(array, id, made++);
    }

    /** The shadow of an object that the run has in its hands. */
    Shadow shadow(Object object) {
        Shadow shadow = heap.find(object);
        if (shadow == null) {
            shadow = Foreign.isConstant(object) ? heap.newPersistent(object) : heap.newLocal(object, id, made++);
            if (object instanceof Shadowed shadowed) {
                shadowed.amc$shadow(shadow);
            }
        }
        return shadow;
    }

    boolean isLocal(Shadow shadow) {
        return shadow.owner == id && shadow.local;
    }

    /** The shadow of an object that others may know. */
    private Shadow shared(Object object) {
        Shadow shadow = shadow(object);
        if (shadow.owner >= 0 && shadow.owner != id && shadow.publishedIn != heap.execution()) {
            throw Refusal.untraced(object, run.nameOf(shadow.owner));
        }
        return shadow;
    }

    /** The number that stands for {@code object}, which others may know from now on. */
    long publish(Object object, int site) {
        if (object == null) {
            return 0;
        }
        Shadow shadow = shadow(object);
        if (isLocal(shadow)) {
            shadow.local = false;
            shadow.publishedIn = heap.execution();
            new Publication(this, site).fieldsOf(object, shadow);
        }
        return shadow.id;
    }

    long number(Object object) {
        return object == null ? 0 : shadow(object).id;
    }

    /** The object that {@code number} stands for, in this execution. */
    Object object(long number) {
        if (number == 0) {
            return null;
        }
        Shadow shadow = heap.shadow(number);
        if (shadow.owner >= 0 && shadow.execution != heap.execution()) {
            run.runFirst(shadow.owner);
            if (shadow.execution != heap.execution()) {
                throw run.yieldToOthers();
            }
        }
        if (shadow.owner != id && !(shadow.object instanceof Shadowed) && !shadow.type.isArray()) {
            checkHarmless(shadow.object);
        }
        return shadow.object;
    }

    private void checkHarmless(Object object) {
        if (!Foreign.isHarmless(object)) {
            throw Refusal.foreign(object);
        }
    }

    /** A final field of {@code holder} (null: a static one) holds {@code value}. */
    void finalRead(Object holder, Object value) {
        if (value == null || value instanceof Shadowed) {
            return;
        }
        Shadow owner = holder == null ? null : shadow(holder);
        boolean mine = owner != null && owner.owner == id;
        if (heap.find(value) == null && !mine) {
            if (owner != null && !owner.isPersistent()) {
                throw Refusal.untraced(value, run.nameOf(owner.owner));
            }
            heap.newPersistent(value);
        }
        if (!value.getClass().isArray() && !Foreign.isHarmless(value)) {
            if (!mine) {
                throw Refusal.foreign(value);
            }
            effects++;
        }
    }

    void overwritten(boolean changed) {
        if (changed) {
            effects++;
        }
    }

    // Accesses

    private Mode mode(int site, Mode usual) {
        return code.mode(site, usual);
    }

    private int location(Object object, int field) {
        return object == null ? heap.staticLocation(field) : heap.location(shared(object), field);
    }

    long get(Object object, int field, int site) {
        return run.load(location(object, field), mode(site, heap.declaredMode(field)), site);
    }

    void put(Object object, int field, long value, int site) {
        run.store(location(object, field), value, mode(site, heap.declaredMode(field)), site);
    }

    /** What a plain or volatile declaration makes of the first value of a field of an object that gets known. */
    void putFirst(Shadow shadow, int field, long value, int site) {
        Mode mode = heap.declaredMode(field);
        run.storeFirst(heap.location(shadow, field), value, mode == Mode.VOLATILE ? Mode.RELEASE : mode, site);
    }

    void putFirstElement(Shadow shadow, int index, long value, int site) {
        run.storeFirst(heap.location(shadow, index), value, Mode.PLAIN, site);
    }

    long load(Object array, int index, int site) {
        return run.load(heap.location(shared(array), index), mode(site, Mode.PLAIN), site);
    }

    void store(Object array, int index, long value, int site) {
        run.store(heap.location(shared(array), index), value, mode(site, Mode.PLAIN), site);
    }

    /** Through a variable handle; numbers stand for references. The array, if it is one, has been checked. */
    long access(VarHandle handle, Object receiver, int index, long first, long second, Access access, int site) {
        int field = heap.handles().field(handle);
        int location = field == Handles.ELEMENTS ? heap.location(shared(receiver), index) : location(receiver, field);
        Mode mode = mode(site, access.mode() == Mode.PLAIN && field != Handles.ELEMENTS ? heap.plainMode(field) : access.mode());
        return switch (access.kind()) {
            case GET -> run.load(location, mode, site);
            case SET -> {
                run.store(location, first, mode, site);
                yield 0;
            }
            case COMPARE_AND_SET -> run.update(location, Update.COMPARE_AND_SET, first, second, mode, site) == first ? 1 : 0;
            case COMPARE_AND_EXCHANGE -> run.update(location, Update.COMPARE_AND_SET, first, second, mode, site);
            default -> run.update(location, access.update(handle.varType()), 0, first, mode, site);
        };
    }

    void fence(Mode mode, int site) {
        Mode wanted = mode(site, mode);
        if (wanted.acquires() || wanted.releases()) {
            run.fence(wanted, site);
        }
    }

    // Monitors

    void enter(Object monitor, int site) {
        publish(monitor, site);
        Shadow shadow = shadow(monitor);
        int count = held.getOrDefault(shadow, 0);
        if (count == 0) {
            run.enterMonitor(heap.monitor(shadow), site);
        }
        held.put(shadow, count + 1);
        depth++;
    }

    void exit(Object monitor, int site) {
        Shadow shadow = shadow(monitor);
        int count = checkHeld(shadow);
        if (count == 1) {
            held.remove(shadow);
            run.exitMonitor(heap.monitor(shadow), site);
        } else {
            held.put(shadow, count - 1);
        }
        depth--;
    }

    private int checkHeld(Shadow shadow) {
        int count = held.getOrDefault(shadow, 0);
        if (count == 0) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        return count;
    }

    /** {@code Object.wait}. */
    void waitFor(Object monitor, int site) throws InterruptedException {
        waitFor(monitor, false, site);
    }

    void waitForSomeTime(Object monitor, long nanos, int site) throws InterruptedException {
        checkHeld(shadow(monitor));
        boolean timesOut = timesOut(nanos, site);
        waitFor(monitor, timesOut, site);
        if (!timesOut) {
            endTimedWait();
        }
    }

    private void waitFor(Object monitor, boolean timesOut, int site) throws InterruptedException {
        Shadow shadow = shadow(monitor);
        int count = checkHeld(shadow);
        int interrupt = interrupt();
        checkInterrupt(interrupt, site);
        int waiters = heap.waiters(shadow);
        long me = 1L << id;
        run.store(waiters, run.load(waiters, Mode.OPAQUE, site) | me, Mode.OPAQUE, site);
        held.remove(shadow);
        run.exitMonitor(heap.monitor(shadow), site);
        depth--;
        if (!timesOut) {
            run.await(() -> (run.load(waiters, Mode.OPAQUE, site) & me) == 0 || run.load(interrupt, Mode.ACQUIRE, site) != 0);
        }
        enter(monitor, site);
        held.put(shadow, count);
        long left = run.load(waiters, Mode.OPAQUE, site);
        if ((left & me) != 0) {
            run.store(waiters, left & ~me, Mode.OPAQUE, site);
            checkInterrupt(interrupt, site);
        }
    }

    /** The location of the flag that says whether this thread is interrupted. */
    private int interrupt() {
        return location(thread(), scenario.interruptField());
    }

    private void checkInterrupt(int interrupt, int site) throws InterruptedException {
        if (run.load(interrupt, Mode.ACQUIRE, site) != 0) {
            run.store(interrupt, 0, Mode.OPAQUE, site);
            throw new InterruptedException();
        }
    }

    void wake(Object monitor, boolean all, int site) {
        Shadow shadow = shadow(monitor);
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

    // Threads

    /** The model of this thread. */
    Object thread() {
        return object(scenario.threadNumber(run));
    }

    void startThread(Runnable thread) {
        long number = publish(thread, 0);
        int slot = scenario.slotFor(id, started++);
        run.create(slot, number, 0);
    }

    void joinThread(Runnable thread) {
        run.join(run.created(number(thread)), 0);
    }

    /** Whether two objects, neither of which is null, are one as far as the code can know. */
    boolean same(Object one, Object other) {
        if (Foreign.isValue(one) || Foreign.isValue(other)) {
            return false;
        }
        Shadow shadow = heap.find(one);
        return shadow != null && shadow == heap.find(other);
    }

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // Time

    /**
     * The time of this thread. It stands still until a wait ends by time, or until a day has passed at once: that may be
     * whenever the thread looks again.
     */
    long now(int site) {
        if (looks++ > 0 && !dayPassed && run.chooseTime(site) == 1) {
            dayPassed = true;
            clock += DAY;
        }
        return clock;
    }

    /** Whether a wait of so long ends by time. If not, then {@link #endTimedWait} ends it. */
    boolean timesOut(long nanos, int site) {
        if (run.chooseTime(site) == 1) {
            clock += nanos;
            effects++;
            return true;
        }
        run.beginTimedWait();
        return false;
    }

    void endTimedWait() {
        run.endTimedWait();
    }

    // Loops

    void beginLoop() {
        liveCount = 0;
    }

    void live(long value) {
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, 2 * liveCount);
        }
        live[liveCount++] = value;
    }

    void live(Object value) {
        if (value != null && !(value instanceof Shadowed) && !value.getClass().isArray() && !Foreign.isHarmless(value)) {
            // An iterator, for example, changes though the reference does not.
            effects++;
        }
        live(number(value));
    }

    int enterLoop() {
        int loop = run.enterLoop(live, liveCount);
        if (loop >= stateAtRound.length) {
            stateAtRound = Arrays.copyOf(stateAtRound, 2 * loop);
        }
        stateAtRound[loop] = state();
        return loop;
    }

    void nextRound(int loop) {
        run.nextRound(loop, state() != stateAtRound[loop], live, liveCount);
        stateAtRound[loop] = state();
    }

    /** Differs if the run has done something in between that is not in the graph. */
    private long state() {
        return ((long) effects + run.observed() << 16) + depth;
    }
}
