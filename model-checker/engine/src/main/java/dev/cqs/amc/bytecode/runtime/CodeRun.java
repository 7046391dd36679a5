package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.heap.Access;
import dev.cqs.amc.bytecode.heap.Circumstances;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.HandleTarget;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.heap.Shadowed;
import dev.cqs.amc.bytecode.heap.Variants;
import dev.cqs.amc.graph.Update;
import dev.cqs.amc.threads.ThreadRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run of an actor's instrumented code: turns what it does into steps of its thread in the graph.
 */
public final class CodeRun {
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
     * there; and Hooks.same compares numbers. But for one that was made in a round that has been taken out of the graph, and
     * so may hold something else: no thread goes on after such a round without running its code again (see ThreadRun).
     */

    private static final long DAY = 86_400_000_000_000L;
    /** No wait is longer than some ten months by the clock that all threads have, so that it does not run over. */
    private static final long LONGEST = 300 * DAY;

    private final Heap heap;
    private final CodeTable code;
    private final ScenarioThreads scenario;

    /** The monitors that the run has entered. */
    final Monitors monitors;
    /** The loops that the run is in. */
    final Rounds rounds;

    @SuppressWarnings("NullAway.Init") // each run sets it
    ThreadRun run;

    int id;
    /** How many objects the run has made. */
    private int made;
    /** How many threads the run has started. */
    private int started;
    /** Counts what the run has done besides steps in the graph, so that a round of a loop can tell whether it has. */
    private int effects;

    private final LocalWrites writes = new LocalWrites();
    private long clock;
    /** How many runs there have been. */
    private int runs;
    /** How much time has passed for the thread that is not on the clock yet which all threads have. */
    private long passed;
    /** Whether the time has been looked at since it was another one. */
    private boolean hasLooked;
    /** How many strings and boxes that are equal the run has made and used as objects. */
    private final Map<Object, Integer> ownValues = new HashMap<>();
    /** Whether the code has got hold of the model of its thread. Of an actor, no other thread knows the model before. */
    private boolean knowsItsThread;
    /** Whether what gets known is known to a thread that is started now, and so in order. */
    private boolean isStarting;
    /** What the thread has in each of its thread locals. */
    private final Map<Object, Object> threadLocals = new IdentityHashMap<>();

    /** What the run has told of the references that it has got: object, holder and freeze. */
    private final Set<List<Integer>> sights = new HashSet<>();

    public CodeRun(ScenarioThreads scenario, Heap heap, CodeTable code) {
        this.heap = heap;
        this.scenario = scenario;
        this.code = code;
        monitors = new Monitors(this, heap);
        rounds = new Rounds(this, writes);
    }

    /** Begins a run of an actor. */
    public void begin(ThreadRun run) {
        this.run = run;
        id = run.id();
        made = 0;
        started = 0;
        effects = 0;
        clock = heap.times().begin(runs++);
        passed = 0;
        hasLooked = false;
        knowsItsThread = false;
        isStarting = false;
        monitors.clear();
        threadLocals.clear();
        sights.clear();
        ownValues.clear();
        writes.clear();
    }

    // Objects

    void created(Shadowed object) {
        Shadow shadow = heap.newLocal(object, id, made++, 0);
        object.amc$shadow(shadow);
        begin(object, shadow);
    }

    /** The object has been cloned, field by field, from the one with this shadow (may be null). */
    void cloned(Shadow original, Shadowed clone) {
        Shadow shadow = heap.newLocal(clone, id, made++, 0);
        clone.amc$shadow(shadow);
        if (original != null && !isReal(original)) {
            clone.amc$fields(new FieldCopies(this, heap, (Shadowed) original.object));
        }
        begin(clone, shadow);
    }

    void newArray(Object array, int site) {
        begin(array, heap.newLocal(array, id, made++, site));
    }

    /** An object has been made, with something in it already if it is a clone or an array of arrays. */
    private void begin(Object object, Shadow shadow) {
        if (shadow.isExpanded) {
            new FirstValues(this).of(object, shadow);
        }
    }

    /** The shadow of an object that the run has in its hands. */
    Shadow shadow(Object object) {
        Shadow shadow = heap.find(object);
        if (shadow == null) {
            shadow = Foreign.isConstant(object) ? heap.newPersistent(object) : heap.newLocal(object, id, made++, 0);
            if (object instanceof Shadowed shadowed) {
                shadowed.amc$shadow(shadow);
            }
            begin(object, shadow);
        }
        return shadow;
    }

    boolean isLocal(Shadow shadow) {
        return shadow.owner == id && shadow.local;
    }

    /** Whether the real fields of an object hold what this run has written. */
    boolean isReal(Shadow shadow) {
        return shadow.owner == id && shadow.local && !shadow.isExpanded;
    }

    /** The shadow of an object that others may know, or that is expanded. */
    private Shadow shared(Object object) {
        Shadow shadow = shadow(object);
        if (shadow.owner >= 0 && shadow.owner != id && shadow.publishedIn != heap.execution()) {
            throw run.refuse(Refusal.untraced(object, run.nameOf(shadow.owner)));
        }
        return shadow;
    }

    /** The number that stands for {@code object}, which others may know from now on. */
    long publish(Object object, int site) {
        if (object == null) {
            return 0;
        }
        if (Foreign.isAmbiguous(object)) {
            return valueObject(object).id;
        }
        Shadow shadow = shadow(object);
        if (isLocal(shadow)) {
            shadow.local = false;
            shadow.publishedIn = heap.execution();
            shadow.isStarted = isStarting;
            if (shadow.keeper != 0) {
                throw run.refuse(Refusal.kept(object, code.site(shadow.keeper).where()));
            }
            if (object instanceof Shadowed && !Foreign.isWatched(object)) {
                throw run.refuse(Refusal.foreign(object));
            }
            new Publication(this, site, shadow.isExpanded).fieldsOf(object, shadow);
            heap.variants().compare(object, shadow, this::number);
            if (heap.times().isTimed()) {
                Variants.numbers(object).forEach(this::noteTime);
            }
            if (!shadow.isExpanded
                    && (object instanceof Shadowed || object.getClass().isArray())) {
                run.unshared().publish(shadow.id);
            }
        }
        return shadow.id;
    }

    /** The identity hash code of an object. */
    int identityHash(Object object) {
        return heap.identityHash(shadow(object));
    }

    long number(Object object) {
        return object == null ? 0 : shadow(object).id;
    }

    /** The object that {@code number} stands for, in this execution. */
    @Nullable
    Object object(long number) {
        if (number == 0) {
            return null;
        }
        Shadow shadow = heap.shadow(number);
        if (!isKnown(shadow)) {
            run.lifecycle().runFirst(shadow.owner);
            if (!isKnown(shadow)) {
                throw run.yieldToOthers();
            }
        }
        if (shadow.owner == id) {
            inHands(shadow.object);
        } else if (!shadow.isHarmless) {
            checkHarmless(shadow.object);
            shadow.isHarmless = shadow.isPersistent();
        }
        return shadow.object;
    }

    /**
     * The object that {@code number} stands for, which has been read from memory that is shared. What an exception holds is not
     * in final fields, and read by code that is not seen, if at all. So the thread is taken to read it now: if it has been made
     * known without order, then that is a data race. By the way of a final field it is seen, as the final field itself.
     */
    @Nullable
    Object received(long number, int site) {
        Object object = object(number);
        if (object instanceof Throwable) {
            Shadow shadow = heap.shadow(number);
            if (shadow.owner != id && !shadow.isPersistent()) {
                run.load(heap.content(shadow), Mode.PLAIN, site);
            }
        }
        return object;
    }

    /** What the code of an exception's maker has put into it, when others get to know it. */
    void putFirstContent(Shadow shadow, int site) {
        run.unshared().storeFirst(heap.content(shadow), 1, Mode.PLAIN, site);
    }

    /** Something is about to be added to an exception, such as its cause; from then on, that is in it. */
    void changing(Throwable thrown) {
        Shadow shadow = heap.find(thrown);
        if (shadow == null) {
            effects++;
        } else if (isLocal(shadow)) {
            overwritten(thrown);
        } else {
            throw run.refuse(Refusal.changed(thrown));
        }
    }

    /** Whether a run of its maker has made the object and has made it known, in this execution. */
    private boolean isKnown(Shadow shadow) {
        return shadow.isPersistent() || shadow.execution == heap.execution() && shadow.publishedIn == heap.execution();
    }

    /** Whether threads can share the object, and what they find in it without being seen. */
    void checkHarmless(Object object) {
        boolean isWatched = object instanceof Shadowed && Foreign.isWatched(object) && !(object instanceof Throwable);
        if (isWatched || object.getClass().isArray()) {
            return;
        }
        List<Object> content = Foreign.isHarmless(object) ? Foreign.content(object) : null;
        if (content == null) {
            throw run.refuse(Refusal.foreign(object));
        }
        for (Object held : content) {
            if (held != null) {
                if (heap.find(held) == null) {
                    heap.newPersistent(held);
                }
                if (heap.watchesFreezes()) {
                    sees(held, -1, -1);
                }
                checkHarmless(held);
            }
        }
    }

    /** A final field of {@code holder} (null: a static one) holds {@code value}. */
    void finalRead(@Nullable Object holder, Object value) {
        if (value == null || value instanceof Shadowed && Foreign.isWatched(value)) {
            return;
        }
        Shadow owner = holder == null ? null : shadow(holder);
        boolean mine = owner != null && owner.owner == id;
        if (heap.find(value) == null && !mine) {
            if (owner != null && !owner.isPersistent()) {
                throw run.refuse(Refusal.untraced(value, run.nameOf(owner.owner)));
            }
            heap.newPersistent(value);
        }
        if (mine) {
            inHands(value);
        } else {
            checkHarmless(value);
        }
    }

    /** A final field of {@code holder}, which the class {@code owner} declares, holds {@code value}. */
    void sawFinal(Object holder, Object value, String owner) {
        Shadow of = value == null ? null : shadow(holder);
        if (of != null && of.owner != id && !of.isPersistent()) {
            sees(value, of.id, heap.freeze(of, owner));
        }
    }

    /** The run has got hold of an object, by a final field of the {@code holder}, or in another way that is not in the graph. */
    private void sees(Object object, int holder, int freeze) {
        Shadow shadow = heap.find(object);
        if (shadow != null
                && shadow.owner != id
                && !shadow.isPersistent()
                && sights.add(List.of(shadow.id, holder, freeze))) {
            run.unshared().see(shadow.id, holder, freeze);
        }
    }

    /** An object has been cloned that has {@code value} in a final field. */
    void sawCloned(Object value) {
        if (value != null && heap.watchesFreezes()) {
            sees(value, -1, -1);
        }
    }

    /** The constructor of {@code owner} that sets its final fields has come to its end. */
    void constructed(Shadowed object, String owner) {
        Shadow shadow = shadow(object);
        if (!isLocal(shadow)) {
            if (!shadow.isStarted) {
                heap.noteLeak(object);
            }
        } else if (heap.watchesFreezes()) {
            run.unshared().freeze(heap.freeze(shadow, owner));
        }
    }

    /** An array is passed to code that is not seen. */
    void passed(Object array, int site) {
        if (!isReal(shadow(array))) {
            throw run.refuse(Refusal.passed(array, code.site(site).where()));
        }
        effects++;
    }

    /** An array is passed to code that is not seen, and that keeps it: others must not get to know it. */
    void kept(Object array, int site) {
        passed(array, site);
        shadow(array).keeper = site;
    }

    /** The code has an object in its hands that it may do something to which is not seen. */
    void inHands(Object value) {
        if (value != null && Foreign.mayChange(value)) {
            effects++;
        }
    }

    /** The run has changed something that is its own, and older than what it makes. */
    void changed() {
        effects++;
    }

    /** A local object is about to hold something else than before. */
    void overwritten(Object holder) {
        writes.add(shadow(holder).serial);
    }

    /** How many objects the run has made. */
    int made() {
        return made;
    }

    /** Differs if the run has done something in between that is not in the graph. */
    long state() {
        return ((long) effects + run.observed() << 16) + monitors.depth();
    }

    // Accesses

    private Mode mode(int site, Mode usual) {
        return code.mode(site, usual);
    }

    private int location(Object object, int field) {
        return object == null ? heap.staticLocation(field) : heap.location(shared(object), field);
    }

    long get(Object object, int field, int site) {
        long value = run.load(location(object, field), mode(site, heap.declaredMode(field)), site);
        noteAccess(object);
        return value;
    }

    void put(Object object, int field, long value, int site) {
        noteTime(value);
        run.store(location(object, field), value, mode(site, heap.declaredMode(field)), site);
        noteAccess(object);
    }

    /** There was an access to an object in the graph. If no other thread can know the object, then it is no effect of a round. */
    private void noteAccess(Object object) {
        // What no other thread can know is in the graph only if it is expanded.
        Shadow shadow = object == null || !heap.hasExpanded() ? null : shadow(object);
        if (shadow != null && isLocal(shadow) && run.unshared().accessed()) {
            writes.add(shadow.serial);
        }
    }

    /** What a plain or volatile declaration makes of the first value of a field of an object that gets known. */
    void putFirst(Shadow shadow, int field, long value, int site) {
        noteTime(value);
        Mode mode = heap.declaredMode(field);
        Mode first = mode == Mode.VOLATILE ? shadow.weakest(field, Mode.RELEASE) : mode;
        run.unshared().storeFirst(heap.location(shadow, field), value, first, site);
    }

    /** What an expanded object holds when it has been made. */
    void putAtBegin(Shadow shadow, int index, long value) {
        boolean isPlain = shadow.type.isArray() || heap.declaredMode(index) == Mode.PLAIN;
        run.store(heap.location(shadow, index), value, isPlain ? Mode.PLAIN : Mode.OPAQUE, 0);
        run.unshared().accessed();
    }

    void putFirstElement(Shadow shadow, int index, long value, int site) {
        noteTime(value);
        run.unshared().storeFirst(heap.location(shadow, index), value, Mode.PLAIN, site);
    }

    long load(Object array, int index, int site) {
        long value = run.load(heap.location(shared(array), index), mode(site, Mode.PLAIN), site);
        noteAccess(array);
        return value;
    }

    void store(Object array, int index, long value, int site) {
        noteTime(value);
        run.store(heap.location(shared(array), index), value, mode(site, Mode.PLAIN), site);
        noteAccess(array);
    }

    /** Through a variable handle; numbers stand for references. The array, if it is one, has been checked. */
    long access(HandleTarget variable, Object receiver, int index, long first, long second, Access access, int site) {
        noteTime(first);
        noteTime(second);
        int field = variable.field();
        int location = variable.isElement() ? heap.location(shared(receiver), index) : location(receiver, field);
        Mode mode = mode(
                site, access.mode() == Mode.PLAIN && !variable.isElement() ? heap.plainMode(field) : access.mode());
        long result = switch (access.kind()) {
            case GET -> run.load(location, mode, site);
            case SET -> {
                run.store(location, first, mode, site);
                yield 0;
            }
            case COMPARE_AND_SET ->
                run.update(location, Update.COMPARE_AND_SET, first, second, mode, site) == first ? 1 : 0;
            case COMPARE_AND_EXCHANGE -> run.update(location, Update.COMPARE_AND_SET, first, second, mode, site);
            default -> run.update(location, access.update(variable.type()), 0, first, mode, site);
        };
        noteAccess(receiver);
        return result;
    }

    void fence(Mode mode, int site) {
        Mode wanted = mode(site, mode);
        if (wanted.acquires() || wanted.releases()) {
            run.fence(wanted, site);
        } else if (mode == Mode.PLAIN) {
            heap.noteIgnored(code.site(site));
        }
    }

    // Threads

    /** The model of this thread. */
    @SuppressWarnings("NullAway") // each thread has a model
    public Object thread() {
        return object(scenario.threadNumber(run));
    }

    /** The model of this thread, for the code that runs. */
    Object currentThread() {
        knowsItsThread = true;
        return thread();
    }

    public boolean knowsItsThread() {
        return knowsItsThread;
    }

    Map<Object, Object> threadLocals() {
        return threadLocals;
    }

    void startThread(Runnable thread, boolean daemon) {
        isStarting = true;
        long number = publish(thread, 0);
        isStarting = false;
        int slot = scenario.slotFor(id, started++);
        if (slot < 0) {
            throw run.refuse(new Circumstances.TooManyThreads());
        }
        run.lifecycle().create(slot, number, daemon, 0);
    }

    /** The location of the flag that says whether this thread is interrupted. */
    int interruptFlag() {
        return location(thread(), scenario.interruptField());
    }

    /** This thread interrupts another one. */
    void interrupts() {
        if (!scenario.expectsInterrupts()) {
            throw run.refuse(new Circumstances.Interrupts());
        }
    }

    /** Whether an interrupt ends the join that begins. If so, then {@link #endTimedWait} ends the wait for it. */
    boolean isInterruptedFirst() {
        if (!scenario.expectsInterrupts() || run.choose(2, 0) == 0) {
            return false;
        }
        run.waiting().beginTimedWait();
        return true;
    }

    void joinThread(Runnable thread) {
        run.lifecycle().join(number(thread), scenario.expectsInterrupts() ? interruptFlag() : -1, 0);
    }

    /**
     * The shadow of a string or box as an object. An actor makes its own anew whenever it runs; it is the same one if the actor
     * has made as many before that are equal. So the interned string and the cached box are the same for all, and any other is
     * known by its maker.
     */
    private Shadow valueObject(Object value) {
        Shadow known = heap.valueObject(value);
        if (known != null) {
            return known;
        }
        return Foreign.isConstantValue(value)
                ? heap.newValueObject(value, Shadow.NOBODY, 0)
                : heap.newValueObject(value, id, ownValues.merge(value, 1, Integer::sum));
    }

    /** The number of an object that a compare-and-set expects. */
    long expected(Object object) {
        return object != null && Foreign.isAmbiguous(object) ? valueObject(object).id : number(object);
    }

    /** Whether two objects, neither of which is null, are one as far as the code can know. */
    boolean same(Object one, Object other) {
        if (one == other && one instanceof Shadowed) {
            return true;
        }
        if (Foreign.isAmbiguous(one) && one.equals(other)) {
            if (valueObject(one) != valueObject(other)) {
                throw run.refuse(Refusal.equalValues(one));
            }
            return true;
        }
        if (one == other) {
            return true;
        }
        Shadow shadow = heap.find(one);
        return shadow != null && shadow == heap.find(other);
    }

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    public static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // Time

    /**
     * The time of this thread. It stands still until a wait ends by time, or until a day has passed at once: that may be
     * whenever the thread looks again at a time that it has seen. The first look at another time may begin another wait.
     */
    long now(int site) {
        heap.times().look(id, runs);
        if (heap.circumstances().sharedClock()) {
            return nowForAll(site);
        }
        if (heap.times().isSetUpTimed()) {
            throw run.refuse(new Circumstances.SharedTime());
        }
        if (!hasLooked) {
            // A later round of the loop that this is in can look at a time that has been seen.
            effects++;
            hasLooked = true;
        } else if (run.chooseTime(site) == 1) {
            pass(DAY);
            hasLooked = false;
        }
        return clock;
    }

    /** By the clock that all threads have. It may have gone on since another thread has looked, so the first look is no other. */
    private long nowForAll(int site) {
        long more = Math.min(passed, LONGEST) + (run.chooseTime(site) == 1 ? DAY : 0);
        passed = 0;
        return more == 0
                ? run.load(heap.clock(), Mode.OPAQUE, site)
                : run.update(heap.clock(), Update.ADD, 0, more, Mode.OPAQUE, site) + more;
    }

    /** So much time passes; it stands still at the end of all time. */
    private void pass(long nanos) {
        clock = clock + nanos < clock ? Long.MAX_VALUE : clock + nanos;
        passed = passed + nanos < passed ? Long.MAX_VALUE : passed + nanos;
    }

    /** A number gets known to other threads. If it is a time, then they need one clock. */
    private void noteTime(long value) {
        if (heap.times().mayBeTime(value) && !heap.circumstances().sharedClock()) {
            throw run.refuse(new Circumstances.SharedTime());
        }
    }

    /** The thread sleeps. A loop that does nothing else waits all the same. */
    void sleep(long nanos) {
        pass(nanos);
    }

    /** Whether a wait of so long ends by time. If not, then {@link #endTimedWait} ends it. */
    boolean timesOut(long nanos, int site) {
        if (run.chooseExpiry(site) == 1) {
            pass(nanos);
            return true;
        }
        run.waiting().beginTimedWait();
        return false;
    }

    void endTimedWait() {
        run.waiting().endTimedWait();
    }
}
