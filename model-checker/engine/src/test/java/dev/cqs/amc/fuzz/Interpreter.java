package dev.cqs.amc.fuzz;

import dev.cqs.amc.Mode;
import dev.cqs.amc.fuzz.SmallProgram.Await;
import dev.cqs.amc.fuzz.SmallProgram.CloneOf;
import dev.cqs.amc.fuzz.SmallProgram.Constant;
import dev.cqs.amc.fuzz.SmallProgram.CopyOf;
import dev.cqs.amc.fuzz.SmallProgram.CopyTo;
import dev.cqs.amc.fuzz.SmallProgram.Declared;
import dev.cqs.amc.fuzz.SmallProgram.Fence;
import dev.cqs.amc.fuzz.SmallProgram.Field;
import dev.cqs.amc.fuzz.SmallProgram.Given;
import dev.cqs.amc.fuzz.SmallProgram.Holder;
import dev.cqs.amc.fuzz.SmallProgram.How;
import dev.cqs.amc.fuzz.SmallProgram.IfSome;
import dev.cqs.amc.fuzz.SmallProgram.Join;
import dev.cqs.amc.fuzz.SmallProgram.Kind;
import dev.cqs.amc.fuzz.SmallProgram.Load;
import dev.cqs.amc.fuzz.SmallProgram.Local;
import dev.cqs.amc.fuzz.SmallProgram.Locked;
import dev.cqs.amc.fuzz.SmallProgram.New;
import dev.cqs.amc.fuzz.SmallProgram.Op;
import dev.cqs.amc.fuzz.SmallProgram.Operand;
import dev.cqs.amc.fuzz.SmallProgram.Place;
import dev.cqs.amc.fuzz.SmallProgram.Start;
import dev.cqs.amc.fuzz.SmallProgram.Store;
import dev.cqs.amc.fuzz.SmallProgram.Type;
import dev.cqs.amc.fuzz.SmallProgram.Update;
import dev.cqs.amc.search.Axioms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Executes one thread of a program, given the values of its reads. An object is a number, the same in all executions.
 * Its fields and elements are locations like all others, initially 0 or null.
 */
final class Interpreter {

    /** A field or an element of the object with this number; 0 is the scenario itself. */
    record Cell(int owner, String name) {}

    /** An event; see {@link Axioms.Event}, which has {@code border} as its location if there is no cell. */
    record Step(
            Cell cell,
            int border,
            boolean read,
            boolean write,
            boolean locked,
            Mode mode,
            long value,
            int readHalf,
            boolean own) {}

    /**
     * The trace of a thread when it ends or waits: for another value than its last step reads, or for the end of the
     * thread that it has started.
     */
    record Trace(List<Step> steps, List<Long> observed, boolean waitsForValue, boolean waitsForThread) {

        boolean blocked() {
            return waitsForValue || waitsForThread;
        }

        int indexOf(int border) {
            return steps.stream().map(Step::border).toList().indexOf(border);
        }
    }

    /** The read that tells whether the started thread has ended. */
    static final Cell THREAD = new Cell(-1, "thread");
    /** The border of an event that is no start, begin, end or join. */
    private static final int NONE = 0;

    /** A thread waits. */
    private static final class Blocked extends RuntimeException {

        private static final long serialVersionUID = 1L;
        final boolean forThread;

        Blocked(boolean forThread) {
            super("blocked", null, false, false);
            this.forThread = forThread;
        }
    }

    private final SmallProgram program;
    private final ToLongFunction<Cell> memory;
    private final Map<Integer, Long> locals = new HashMap<>();
    /** Per object of the thread that has not escaped: the objects it refers to, by field or element. */
    private final Map<Integer, Map<Cell, Long>> own = new HashMap<>();

    private final Map<Long, Integer> held = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<Long> observed = new ArrayList<>();

    private Interpreter(SmallProgram program, ToLongFunction<Cell> memory) {
        this.program = program;
        this.memory = memory;
    }

    static Trace run(SmallProgram program, List<Op> ops, ToLongFunction<Cell> memory) {
        Interpreter interpreter = new Interpreter(program, memory);
        return interpreter.trace(ops, NONE);
    }

    /** The thread that an actor starts. */
    static Trace run(SmallProgram program, Start start, ToLongFunction<Cell> memory) {
        Interpreter interpreter = new Interpreter(program, memory);
        interpreter.border(Axioms.Event.BORDER);
        if (start.captured() != null) {
            interpreter.locals.put(start.captured().number(), (long) program.id(start.captured()));
        }
        return interpreter.trace(start.body(), Axioms.Event.BORDER);
    }

    private Trace trace(List<Op> ops, int end) {
        try {
            runAll(ops);
        } catch (Blocked thrown) {
            return new Trace(steps, observed, !thrown.forThread, thrown.forThread);
        }
        if (end != NONE) {
            border(end);
        }
        return new Trace(steps, observed, false, false);
    }

    private void border(int border) {
        steps.add(new Step(null, border, false, false, false, Mode.OPAQUE, 0, -1, false));
    }

    private void runAll(List<Op> ops) {
        ops.forEach(this::run);
    }

    private void run(Op op) {
        if (op instanceof New made) {
            make(made);
        } else if (op instanceof Load load) {
            load(load, false);
        } else if (op instanceof Await await) {
            load(await.load(), true);
        } else if (op instanceof CopyOf copy) {
            locals.put(copy.to().number(), (long) copy.id());
            own.put(copy.id(), new HashMap<>());
            copy(copy.from(), copy.to());
        } else if (op instanceof CloneOf clone) {
            clone(clone);
        } else if (op instanceof CopyTo copy) {
            copy(copy.from(), copy.to());
        } else if (op instanceof Locked block) {
            runLocked(block);
        } else if (op instanceof Store store) {
            hold(store.to(), value(store.value()));
            write(cell(store.to()), store.mode(), value(store.value()), -1);
        } else if (op instanceof Update update) {
            update(update);
        } else if (op instanceof Fence fence && fence.kind().mode != null) {
            steps.add(new Step(null, Axioms.Event.FENCE, false, false, false, fence.kind().mode, 0, -1, false));
        } else if (op instanceof Start start) {
            if (start.captured() != null) {
                giveAway(value(start.captured()));
            }
            border(Axioms.Event.BORDER);
        } else if (op instanceof Join) {
            if (memory.applyAsLong(THREAD) == 0) {
                throw new Blocked(true);
            }
            border(Axioms.Event.JOIN);
        } else if (op instanceof IfSome block && value(block.tested()) != 0) {
            runAll(block.body());
        }
    }

    private void load(Load load, boolean waits) {
        long value = read(load.from(), load.mode(), false);
        if (waits && value == 0) {
            throw new Blocked(false);
        }
        locals.put(load.to().number(), value);
        observe(value, load.to().type());
    }

    private void copy(Operand from, Operand to) {
        long[] values = new long[SmallProgram.ELEMENTS];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(new Place(from, null, i), Mode.PLAIN, false);
        }
        for (int i = 0; i < values.length; i++) {
            hold(new Place(to, null, i), values[i]);
            write(cell(new Place(to, null, i)), Mode.PLAIN, values[i], -1);
        }
    }

    /** Copies the values to the clone, except 0 and null, which it has initially. The writes are never volatile. */
    private void clone(CloneOf clone) {
        locals.put(clone.to().number(), (long) clone.id());
        own.put(clone.id(), new HashMap<>());
        List<Field> fields = program.fields().stream()
                .filter(field -> field.holder() == Holder.NODE)
                .toList();
        List<Long> values = fields.stream()
                .map(field -> new Place(clone.from(), field, 0))
                .map(place -> read(place, place.plain(How.DIRECT), false))
                .toList();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) != 0) {
                Mode mode = fields.get(i).declared() == Declared.PLAIN ? Mode.PLAIN : Mode.OPAQUE;
                hold(new Place(clone.to(), fields.get(i), 0), values.get(i));
                write(cell(new Place(clone.to(), fields.get(i), 0)), mode, values.get(i), -1);
            }
        }
    }

    /** Enters a monitor, whose location is 1 while held. Its object counts as escaped from then on. */
    private void runLocked(Locked block) {
        long owner = value(block.monitor());
        giveAway(owner);
        Cell monitor = new Cell((int) owner, "monitor");
        if (held.merge(owner, 1, Integer::sum) == 1) {
            if (read(monitor, Mode.ACQUIRE, true) != 0) {
                throw new Blocked(false);
            }
            write(monitor, Mode.OPAQUE, 1, steps.size() - 1);
        }
        runAll(block.body());
        if (held.merge(owner, -1, Integer::sum) == 0) {
            write(monitor, Mode.RELEASE, 0, -1);
        }
    }

    private void make(New made) {
        locals.put(made.to().number(), (long) made.id());
        own.put(made.id(), new HashMap<>());
        if (made.first() != null) {
            Place place = new Place(made.to(), first(program), 0);
            write(cell(place), place.plain(How.DIRECT), made.first().value(), -1);
        }
    }

    /** The field that the constructor of a node may write. */
    static Field first(SmallProgram program) {
        return program.fields().stream()
                .filter(field -> field.holder() == Holder.NODE && field.type() == Type.INT)
                .findFirst()
                .orElseThrow();
    }

    private void update(Update update) {
        if (!isOwn(cell(update.place()))) {
            hold(update.place(), value(update.value()));
        }
        long was = read(update.place(), update.mode().readPart(), true);
        boolean succeeds = !update.compares() || was == value(update.expected());
        if (succeeds) {
            long is = update.kind() == Kind.ADD ? was + value(update.value()) : value(update.value());
            hold(update.place(), is);
            write(cell(update.place()), update.mode().writePart(), is, steps.size() - 1);
        }
        locals.put(update.to().number(), was);
        if (update.kind() == Kind.COMPARE) {
            observed.add(succeeds ? 1L : 0L);
        } else {
            observe(was, update.to().type());
        }
    }

    private long read(Place place, Mode mode, boolean locked) {
        return read(cell(place), mode, locked);
    }

    private long read(Cell cell, Mode mode, boolean locked) {
        long value = memory.applyAsLong(cell);
        steps.add(new Step(cell, NONE, true, false, locked, mode, value, -1, isOwn(cell)));
        return value;
    }

    private void write(Cell cell, Mode mode, long value, int readHalf) {
        steps.add(new Step(cell, NONE, false, true, readHalf >= 0, mode, value, readHalf, isOwn(cell)));
    }

    private boolean isOwn(Cell cell) {
        return own.containsKey(cell.owner());
    }

    /**
     * A reference is about to be stored: into an object that has escaped, or into one with which the referent escapes
     * later.
     */
    private void hold(Place place, long object) {
        if (place.type() != Type.INT) {
            Map<Cell, Long> holder = own.get(cell(place).owner());
            if (holder == null) {
                giveAway(object);
            } else {
                holder.put(cell(place), object);
            }
        }
    }

    private void giveAway(long object) {
        Map<Cell, Long> content = own.remove((int) object);
        if (content != null) {
            content.values().forEach(this::giveAway);
        }
    }

    private Cell cell(Place place) {
        int owner = place.base() == null ? 0 : (int) value(place.base());
        return new Cell(
                owner,
                place.field() == null
                        ? "[" + place.index() + "]"
                        : place.field().name());
    }

    private long value(Operand operand) {
        return operand instanceof Constant constant
                ? constant.value()
                : operand instanceof Local local
                        ? locals.get(local.number())
                        : operand instanceof Given given ? given.id() : 0;
    }

    private void observe(long value, Type type) {
        observed.add(
                type.isArray()
                        ? SmallProgram.length(value)
                        : type == Type.NODE && !program.tellsObjects() && value != 0 ? 1L : value);
    }
}
