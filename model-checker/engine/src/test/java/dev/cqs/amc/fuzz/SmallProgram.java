package dev.cqs.amc.fuzz;

import dev.cqs.amc.Mode;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A small scenario as data, from which class files for the checker are generated, and which {@link TraceEnumerator}
 * enumerates. Its actors make objects and arrays, and pass them on.
 *
 * @param fields the fields of the scenario and of its class {@code Node}
 * @param tellsObjects whether a node has a final field with a unique number, which outcomes show
 * @param actors the operations of each actor
 * @param end the operations of the arbiter
 */
record SmallProgram(List<Field> fields, boolean tellsObjects, List<List<Op>> actors, List<Op> end) {

    enum Type {
        INT("int", "I"),
        NODE("Node", "Lfuzzed/Node;"),
        INTS("int[]", "[I"),
        NODES("Node[]", "[Lfuzzed/Node;");

        final String word;
        final String descriptor;

        Type(String word, String descriptor) {
            this.word = word;
            this.descriptor = descriptor;
        }

        boolean isArray() {
            return this == INTS || this == NODES;
        }

        Type element() {
            return this == INTS ? INT : NODE;
        }
    }

    enum Holder {
        SCENARIO,
        STATIC,
        NODE
    }

    enum Declared {
        PLAIN,
        RACY,
        VOLATILE
    }

    record Field(String name, Type type, Holder holder, Declared declared) {

        @Override
        public String toString() {
            return (declared == Declared.RACY ? "@RacyAllowed " : "") + (holder == Holder.STATIC ? "static " : "")
                    + (declared == Declared.VOLATILE ? "volatile " : "") + type.word + " " + name + ";";
        }
    }

    // Operands

    interface Operand {}

    record Constant(int value) implements Operand {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    record Null() implements Operand {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** A local variable. */
    record Local(int number, Type type) implements Operand {
        @Override
        public String toString() {
            return "r" + number;
        }
    }

    /** An object in a final field of the scenario. */
    record Given(String name, Type type, int id) implements Operand {
        @Override
        public String toString() {
            return name;
        }
    }

    static final Given ROOT = new Given("root", Type.NODE, 1);
    static final Given INTS = new Given("ints", Type.INTS, 2);
    static final Given NODES = new Given("nodes", Type.NODES, 3);
    static final List<Given> GIVEN = List.of(ROOT, INTS, NODES);

    /** The number of elements that are accessed. */
    static final int ELEMENTS = 2;

    /** The numbers of copies are larger than all others. */
    static final int COPIES = 100;

    /** The length of an array identifies it, unless it is a copy. */
    static int length(long id) {
        return id > COPIES ? ELEMENTS : (int) id;
    }

    /** A field of the scenario (base: null) or of a node, or an element (field: null). */
    record Place(Operand base, Field field, int index) {

        Type type() {
            return field != null ? field.type() : typeOf(base).element();
        }

        /** The mode of an ordinary field access. */
        Mode plain(How how) {
            if (field == null || field.declared() == Declared.PLAIN) {
                return Mode.PLAIN;
            }
            return field.declared() == Declared.RACY ? Mode.OPAQUE : how == How.DIRECT ? Mode.VOLATILE : Mode.PLAIN;
        }

        /** The name of its variable handle. */
        String handle() {
            return field != null
                    ? "OF_" + field.name().toUpperCase(java.util.Locale.ROOT)
                    : "OF_ELEMENTS_" + typeOf(base);
        }

        @Override
        public String toString() {
            return field == null ? base + "[" + index + "]" : base == null ? field.name() : base + "." + field.name();
        }
    }

    static Type typeOf(Operand operand) {
        return operand instanceof Local local ? local.type() : operand instanceof Given given ? given.type() : Type.INT;
    }

    // Operations. Each local variable is written once.

    /** An access by a field instruction or by a variable handle. */
    enum How {
        DIRECT,
        HANDLE,
        OPAQUE,
        ACQUIRE_RELEASE,
        VOLATILE
    }

    enum Kind {
        SET,
        ADD,
        COMPARE,
        EXCHANGE
    }

    enum FenceKind {
        FULL("fullFence", Mode.VOLATILE),
        ACQUIRE("acquireFence", Mode.ACQUIRE),
        RELEASE("releaseFence", Mode.RELEASE),
        /** These two are weaker than any fence of a model, so they are ignored. */
        LOAD_LOAD("loadLoadFence", null),
        STORE_STORE("storeStoreFence", null);

        final String method;
        final Mode mode;

        FenceKind(String method, Mode mode) {
            this.method = method;
            this.mode = mode;
        }
    }

    interface Op {}

    /** Makes a node or an array. The constructor of a node writes its first field if {@code first} is not null. */
    record New(Local to, int id, Constant first) implements Op {

        @Override
        public String toString() {
            return to.type().word + " " + to + " = new "
                    + (to.type() == Type.NODE
                            ? "Node(" + id + (first == null ? "" : ", " + first) + ")"
                            : to.type().word.replace("]", id + "]"))
                    + ";";
        }
    }

    record Load(Local to, Place from, How how) implements Op {

        Mode mode() {
            return switch (how) {
                case OPAQUE -> Mode.OPAQUE;
                case ACQUIRE_RELEASE -> Mode.ACQUIRE;
                case VOLATILE -> Mode.VOLATILE;
                default -> from.plain(how);
            };
        }

        String method() {
            return switch (how) {
                case OPAQUE -> "getOpaque";
                case ACQUIRE_RELEASE -> "getAcquire";
                case VOLATILE -> "getVolatile";
                default -> "get";
            };
        }

        @Override
        public String toString() {
            return to.type().word + " " + to + " = " + (how == How.DIRECT ? from : call(method(), from)) + ";";
        }
    }

    record Store(Place to, Operand value, How how) implements Op {

        Mode mode() {
            return switch (how) {
                case OPAQUE -> Mode.OPAQUE;
                case ACQUIRE_RELEASE -> Mode.RELEASE;
                case VOLATILE -> Mode.VOLATILE;
                default -> to.plain(how);
            };
        }

        String method() {
            return switch (how) {
                case OPAQUE -> "setOpaque";
                case ACQUIRE_RELEASE -> "setRelease";
                case VOLATILE -> "setVolatile";
                default -> "set";
            };
        }

        @Override
        public String toString() {
            return how == How.DIRECT ? to + " = " + value + ";" : call(method(), to, value) + ";";
        }
    }

    /** A read-modify-write. A compare-and-set returns whether it succeeded, an exchange the previous value. */
    record Update(Local to, Place place, Kind kind, Operand expected, Operand value, Mode mode) implements Op {

        String method() {
            String name = switch (kind) {
                case SET -> "getAndSet";
                case ADD -> "getAndAdd";
                case COMPARE -> mode == Mode.VOLATILE ? "compareAndSet" : "weakCompareAndSet";
                default -> "compareAndExchange";
            };
            return name
                    + (mode == Mode.ACQUIRE
                            ? "Acquire"
                            : mode == Mode.RELEASE ? "Release" : mode == Mode.OPAQUE ? "Plain" : "");
        }

        boolean compares() {
            return kind == Kind.COMPARE || kind == Kind.EXCHANGE;
        }

        @Override
        public String toString() {
            String call = compares() ? call(method(), place, expected, value) : call(method(), place, value);
            return (kind == Kind.COMPARE ? "boolean" : to.type().word) + " " + to + " = " + call + ";";
        }
    }

    record Fence(FenceKind kind) implements Op {
        @Override
        public String toString() {
            return "VarHandle." + kind.method + "();";
        }
    }

    record IfSome(Local tested, List<Op> body) implements Op {
        @Override
        public String toString() {
            return "if (" + tested + " != null) {";
        }
    }

    /** An await: loads until the value is neither 0 nor null. */
    record Await(Load load) implements Op {
        @Override
        public String toString() {
            String text = load.toString();
            int from = text.indexOf(' ');
            return text.substring(0, text.indexOf(" =")) + "; while ((" + text.substring(from + 1, text.length() - 1)
                    + ") == " + (load.to().type() == Type.INT ? "0" : "null") + ") { Thread.onSpinWait(); }";
        }
    }

    record Locked(Operand monitor, List<Op> body) implements Op {
        @Override
        public String toString() {
            return "synchronized (" + monitor + ") {";
        }
    }

    /** Copies an array to a new one. */
    record CopyOf(Local to, int id, Operand from) implements Op {
        @Override
        public String toString() {
            return to.type().word + " " + to + " = Arrays.copyOfRange(" + from + ", 0, " + ELEMENTS + ");";
        }
    }

    /** Clones a node; only in programs whose nodes have no unique numbers. */
    record CloneOf(Local to, int id, Operand from) implements Op {
        @Override
        public String toString() {
            return to.type().word + " " + to + " = " + from + ".clone();";
        }
    }

    /** Copies the elements to another array. */
    record CopyTo(Operand from, Operand to) implements Op {
        @Override
        public String toString() {
            return "System.arraycopy(" + from + ", 0, " + to + ", 0, " + ELEMENTS + ");";
        }
    }

    /**
     * Starts a thread, which captures an object of its starter if {@code captured} is not null. A program starts at
     * most one thread.
     */
    record Start(Local captured, List<Op> body) implements Op {
        @Override
        public String toString() {
            return "Thread t = new Thread(() -> {";
        }
    }

    record Join() implements Op {
        @Override
        public String toString() {
            return "t.join();";
        }
    }

    /** The nested operations. */
    static List<Op> body(Op op) {
        return op instanceof Start start
                ? start.body()
                : op instanceof IfSome block ? block.body() : op instanceof Locked block ? block.body() : List.of();
    }

    static Op withBody(Op op, List<Op> body) {
        return op instanceof Start start
                ? new Start(start.captured(), body)
                : op instanceof IfSome block
                        ? new IfSome(block.tested(), body)
                        : op instanceof Locked block ? new Locked(block.monitor(), body) : op;
    }

    private static String call(String method, Place place, Operand... operands) {
        StringBuilder text =
                new StringBuilder(place.handle()).append('.').append(method).append('(');
        String receiver = place.field() == null
                ? place.base() + ", " + place.index()
                : place.base() != null
                        ? place.base().toString()
                        : place.field().holder() == Holder.STATIC ? "" : "this";
        text.append(receiver);
        for (Operand operand : operands) {
            text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ").append(operand);
        }
        return text.append(')').toString();
    }

    SmallProgram withActors(List<List<Op>> changed) {
        return new SmallProgram(fields, tellsObjects, changed, end);
    }

    SmallProgram withEnd(List<Op> changed) {
        return new SmallProgram(fields, tellsObjects, actors, changed);
    }

    /** The thread that an actor starts, or null. */
    Start started() {
        return actors.stream()
                .map(SmallProgram::started)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static Start started(List<Op> ops) {
        return ops.stream()
                .map(op -> op instanceof Start start ? start : started(body(op)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The object that an actor makes and stores in this local variable. */
    int id(Local made) {
        return actors.stream().flatMapToInt(ops -> ids(ops, made)).findFirst().orElseThrow();
    }

    private static IntStream ids(List<Op> ops, Local made) {
        return ops.stream()
                .flatMapToInt(op -> op instanceof New one && one.to().equals(made)
                        ? IntStream.of(one.id())
                        : op instanceof CopyOf one && one.to().equals(made)
                                ? IntStream.of(one.id())
                                : op instanceof CloneOf one && one.to().equals(made)
                                        ? IntStream.of(one.id())
                                        : ids(body(op), made));
    }

    /** The program as Java source, without the declarations that all programs share. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field.holder() == Holder.NODE ? "Node: " : "")
                .append(field)
                .append('\n'));
        for (int i = 0; i < actors.size(); i++) {
            text.append("@Actor void a").append(i).append("() {\n");
            append(text, actors.get(i), "    ");
            text.append("}\n");
        }
        if (!end.isEmpty()) {
            text.append("@Arbiter void end() {\n");
            append(text, end, "    ");
            text.append("}\n");
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<Op> ops, String indent) {
        for (Op op : ops) {
            text.append(indent).append(op).append('\n');
            if (op instanceof IfSome || op instanceof Locked || op instanceof Start) {
                append(text, body(op), indent + "    ");
                text.append(indent).append(op instanceof Start ? "}); t.start();\n" : "}\n");
            }
        }
    }
}
