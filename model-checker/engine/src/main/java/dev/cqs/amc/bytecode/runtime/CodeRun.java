package dev.cqs.amc.bytecode.runtime;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.heap.Access;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.HandleTarget;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.SearchAssumptions;
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
 * A run of an actor's instrumented code: turns its actions into events of its thread.
 */
public final class CodeRun {
    /*
     * Replay without context switches. A run of an actor starts at its beginning, and reads from the graph the numbers
     * of objects that other actors make. The run then needs the real object of this execution, because final fields may
     * differ between executions. So the code of the maker runs first, nested in this run, until it has made the object,
     * and then as far as it can. The maker may in turn need an object that this run, further down the stack, has yet to
     * make. Then the maker unwinds, and runs again later from its beginning. It has made the requested object by then,
     * because po ∪ rf is acyclic.
     *
     * So several real objects may have one number in an execution. They do not differ: their shared state is in the
     * graph, under their number; their final fields were set by the same code after the same reads; and Hooks.same
     * compares numbers. The exception is an object that was made in a failed iteration that was removed from the graph:
     * no thread continues after such an iteration without running its code again (see ThreadRun).
     */

    private final Heap heap;
    private final CodeTable code;
    private final ScenarioThreads scenario;

    /** The monitors that the run has entered. */
    final Monitors monitors;
    /** The loops that the run is in. */
    final Iterations iterations;
    /** The clock of the run. */
    final ThreadClock clock;

    @SuppressWarnings("NullAway.Init") // each run sets it
    ThreadRun run;

    int id;
    /** How many objects the run has made. */
    private int made;
    /** How many threads the run has started. */
    private int started;
    /** Counts the effects of the run that are not events, so that a loop iteration can tell whether it had any. */
    private int effects;

    private final LocalWrites writes = new LocalWrites();
    /** Per equal value, how many strings or boxes the run has made and used by identity. */
    private final Map<Object, Integer> ownValues = new HashMap<>();
    /** Whether the code has obtained the model of its thread. The model of an actor does not escape before. */
    private boolean knowsItsThread;
    /** Whether objects escape now to a thread that is being started, which orders them. */
    private boolean isStarting;
    /** The values of the thread's thread locals. */
    private final Map<Object, Object> threadLocals = new IdentityHashMap<>();

    /** The sights that the run has reported: object, holder and freeze. */
    private final Set<List<Integer>> sights = new HashSet<>();

    public CodeRun(ScenarioThreads scenario, Heap heap, CodeTable code) {
        this.heap = heap;
        this.scenario = scenario;
        this.code = code;
        monitors = new Monitors(this, heap);
        iterations = new Iterations(this, writes);
        clock = new ThreadClock(this, heap);
    }

    /** Begins a run of an actor. */
    public void begin(ThreadRun run) {
        this.run = run;
        id = run.id();
        made = 0;
        started = 0;
        effects = 0;
        clock.begin();
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

    /** {@code clone} is a copy of the object with the shadow {@code original} (may be null). */
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

    /** An object was made. A clone or an array of arrays has contents already. */
    private void begin(Object object, Shadow shadow) {
        if (shadow.isExpanded) {
            new FirstValues(this).of(object, shadow);
        }
    }

    /** The shadow of an object that the run has a reference to. */
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

    /** Whether the real fields of an object hold its values, because only this run has written them. */
    boolean isReal(Shadow shadow) {
        return shadow.owner == id && shadow.local && !shadow.isExpanded;
    }

    /** The shadow of an object that has escaped or is expanded. */
    private Shadow shared(Object object) {
        Shadow shadow = shadow(object);
        if (shadow.owner >= 0 && shadow.owner != id && shadow.publishedIn != heap.execution()) {
            throw run.refuse(Refusal.untraced(object, run.nameOf(shadow.owner)));
        }
        return shadow;
    }

    /** Lets {@code object} escape. Returns its number. */
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
                Variants.numbers(object).forEach(clock::noteShared);
            }
            if (!shadow.isExpanded
                    && (object instanceof Shadowed || object.getClass().isArray())) {
                run.unescaped().publish(shadow.id);
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

    /** The object with this number, in this execution. */
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
     * The object with this number, which was read from shared memory. The contents of an exception are not in final
     * fields, and only uninstrumented code reads them. So the thread reads the contents now: if the exception was
     * published without order, that is a data race. An exception that is reached through a final field is ordered as
     * that field is.
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

    /** Writes the contents of an exception when it escapes. */
    void putFirstContent(Shadow shadow, int site) {
        run.unescaped().storeFirst(heap.content(shadow), 1, Mode.PLAIN, site);
    }

    /** Something, such as a cause, is about to be added to an exception. */
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

    /** Whether a run of its maker has made and published the object in this execution. */
    private boolean isKnown(Shadow shadow) {
        return shadow.isPersistent() || shadow.execution == heap.execution() && shadow.publishedIn == heap.execution();
    }

    /** Refuses the object if threads cannot share it, or cannot share the objects that it refers to. */
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

    /**
     * A sight: the run obtained a reference through a final field of {@code holder}, or otherwise without a read event.
     */
    private void sees(Object object, int holder, int freeze) {
        Shadow shadow = heap.find(object);
        if (shadow != null
                && shadow.owner != id
                && !shadow.isPersistent()
                && sights.add(List.of(shadow.id, holder, freeze))) {
            run.unescaped().see(shadow.id, holder, freeze);
        }
    }

    /** An object with {@code value} in a final field was cloned. */
    void sawCloned(Object value) {
        if (value != null && heap.watchesFreezes()) {
            sees(value, -1, -1);
        }
    }

    /** The constructor of {@code owner}, which sets its final fields, has ended. */
    void constructed(Shadowed object, String owner) {
        Shadow shadow = shadow(object);
        if (!isLocal(shadow)) {
            if (!shadow.isStarted) {
                heap.notes().earlyEscape(object);
            }
        } else if (heap.watchesFreezes()) {
            run.unescaped().freeze(heap.freeze(shadow, owner));
        }
    }

    /** An array is passed to uninstrumented code. */
    void passed(Object array, int site) {
        if (!isReal(shadow(array))) {
            throw run.refuse(Refusal.passed(array, code.site(site).where()));
        }
        effects++;
    }

    /** An array is passed to uninstrumented code that keeps it: it must not escape to another thread. */
    void kept(Object array, int site) {
        passed(array, site);
        shadow(array).keeper = site;
    }

    /** The code obtains an object that it may change by uninstrumented calls. */
    void inHands(Object value) {
        if (value != null && Foreign.mayChange(value)) {
            effects++;
        }
    }

    /** The run has changed something of its own other than an object that it made. */
    void changed() {
        effects++;
    }

    /** A local object is about to change. */
    void overwritten(Object holder) {
        writes.add(shadow(holder).serial);
    }

    /** How many objects the run has made. */
    int made() {
        return made;
    }

    /** A state that differs from an earlier one if the run had effects in between that are not events. */
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
        clock.noteShared(value);
        run.store(location(object, field), value, mode(site, heap.declaredMode(field)), site);
        noteAccess(object);
    }

    /** Notes an access event. If the object has not escaped, the access is not an effect of its iteration. */
    private void noteAccess(Object object) {
        // Accesses to an object that has not escaped are in the graph only if it is expanded.
        Shadow shadow = object == null || !heap.hasExpanded() ? null : shadow(object);
        if (shadow != null && isLocal(shadow) && run.unescaped().accessed()) {
            writes.add(shadow.serial);
        }
    }

    /**
     * Adds the last value of a field to the graph as its object escapes. The mode follows the declaration of the field.
     */
    void putFirst(Shadow shadow, int field, long value, int site) {
        clock.noteShared(value);
        Mode mode = heap.declaredMode(field);
        Mode first = mode == Mode.VOLATILE ? shadow.weakest(field, Mode.RELEASE) : mode;
        run.unescaped().storeFirst(heap.location(shadow, field), value, first, site);
    }

    /** Adds the contents of an expanded object that was just made. */
    void putAtBegin(Shadow shadow, int index, long value) {
        boolean isPlain = shadow.type.isArray() || heap.declaredMode(index) == Mode.PLAIN;
        run.store(heap.location(shadow, index), value, isPlain ? Mode.PLAIN : Mode.OPAQUE, 0);
        run.unescaped().accessed();
    }

    void putFirstElement(Shadow shadow, int index, long value, int site) {
        clock.noteShared(value);
        run.unescaped().storeFirst(heap.location(shadow, index), value, Mode.PLAIN, site);
    }

    long load(Object array, int index, int site) {
        long value = run.load(heap.location(shared(array), index), mode(site, Mode.PLAIN), site);
        noteAccess(array);
        return value;
    }

    void store(Object array, int index, long value, int site) {
        clock.noteShared(value);
        run.store(heap.location(shared(array), index), value, mode(site, Mode.PLAIN), site);
        noteAccess(array);
    }

    /** An access through a variable handle, with numbers for references. The receiver and index have been checked. */
    long access(HandleTarget variable, Object receiver, int index, long first, long second, Access access, int site) {
        clock.noteShared(first);
        clock.noteShared(second);
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
            heap.notes().ignoredFence(code.site(site));
        }
    }

    // Threads

    /** The model of this thread. */
    @SuppressWarnings("NullAway") // each thread has a model
    public Object thread() {
        return object(scenario.threadNumber(run));
    }

    /** The model of this thread, obtained by the running code. */
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
            throw run.refuse(new SearchAssumptions.TooManyThreads());
        }
        run.lifecycle().create(slot, number, daemon, 0);
    }

    /** The location of this thread's interrupt flag. */
    int interruptFlag() {
        return location(thread(), scenario.interruptField());
    }

    /** This thread interrupts another one. */
    void interrupts() {
        if (!scenario.expectsInterrupts()) {
            throw run.refuse(new SearchAssumptions.Interrupts());
        }
    }

    /**
     * Chooses whether an interrupt ends the join that begins. If so, the caller calls {@link ThreadClock#endTimedWait}
     * after it.
     */
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
     * The shadow of a string or box that is used by identity. Each run of an actor makes its own real objects; those
     * with the same number of equal predecessors have the same identity. Interned strings and cached boxes have one
     * identity for all threads.
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

    /** The number of the expected object of a compare-and-set. */
    long expected(Object object) {
        return object != null && Foreign.isAmbiguous(object) ? valueObject(object).id : number(object);
    }

    /** Whether two references, neither of which is null, are equal to the code. */
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

    /** Throws a checked exception without declaring it. */
    @SuppressWarnings("unchecked")
    public static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
