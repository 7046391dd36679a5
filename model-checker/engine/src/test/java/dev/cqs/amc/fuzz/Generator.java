package dev.cqs.amc.fuzz;

import dev.cqs.amc.Mode;
import dev.cqs.amc.fuzz.SmallProgram.Await;
import dev.cqs.amc.fuzz.SmallProgram.CloneOf;
import dev.cqs.amc.fuzz.SmallProgram.Constant;
import dev.cqs.amc.fuzz.SmallProgram.CopyOf;
import dev.cqs.amc.fuzz.SmallProgram.CopyTo;
import dev.cqs.amc.fuzz.SmallProgram.Declared;
import dev.cqs.amc.fuzz.SmallProgram.Fence;
import dev.cqs.amc.fuzz.SmallProgram.FenceKind;
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
import dev.cqs.amc.fuzz.SmallProgram.Null;
import dev.cqs.amc.fuzz.SmallProgram.Op;
import dev.cqs.amc.fuzz.SmallProgram.Operand;
import dev.cqs.amc.fuzz.SmallProgram.Place;
import dev.cqs.amc.fuzz.SmallProgram.Start;
import dev.cqs.amc.fuzz.SmallProgram.Store;
import dev.cqs.amc.fuzz.SmallProgram.Type;
import dev.cqs.amc.fuzz.SmallProgram.Update;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Generates random programs whose actors make, pass and use objects. */
final class Generator {

    private static final Mode[] UPDATES = {Mode.VOLATILE, Mode.VOLATILE, Mode.ACQUIRE, Mode.RELEASE, Mode.OPAQUE};
    private static final int MOST_OBJECTS = 3;

    private final Random random;
    private final List<Field> fields = new ArrayList<>();
    /** Whether shared variables have plain accesses too, so that most programs race. */
    private final boolean mayRace;
    /** Whether most accesses are volatile, so that psc matters. */
    private final boolean mostlyVolatile;
    /** Whether outcomes identify nodes; a clone has the same identity as its original. */
    private final boolean tellsObjects;
    /** Whether there are monitors, awaits and copies of arrays too. */
    private final boolean more;

    private int locals;
    private int objects;
    private boolean hasStarted;

    private Generator(Random random) {
        this.random = random;
        mayRace = chance(16);
        mostlyVolatile = chance(25);
        tellsObjects = chance(60);
        more = chance(30);
    }

    static SmallProgram program(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        for (int i = 0; i < 10; i++) {
            random.nextInt();
        }
        return new Generator(random).program();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private SmallProgram program() {
        declare("x", Type.INT, Holder.SCENARIO, 60);
        declare("y", Type.INT, Holder.STATIC, 25);
        declare("m", Type.NODE, Holder.SCENARIO, 100);
        declare("n", Type.NODE, Holder.STATIC, 40);
        declare("array", Type.INTS, Holder.SCENARIO, 20);
        declare("array2", Type.NODES, Holder.SCENARIO, 10);
        declare("a", Type.INT, Holder.NODE, 100);
        declare("b", Type.INT, Holder.NODE, 30);
        declare("next", Type.NODE, Holder.NODE, 40);
        declare("inner", Type.INTS, Holder.NODE, 12);
        int actors = chance(30) ? 3 : 2;
        int left = 12;
        List<List<Op>> all = new ArrayList<>();
        boolean isFlat = chance(25);
        for (int i = 0; i < actors; i++) {
            int length = Math.min(3 + random.nextInt(4), left - 2 * (actors - 1 - i));
            left -= length;
            all.add(isFlat ? flat(length) : actor(i, length));
        }
        return new SmallProgram(List.copyOf(fields), tellsObjects, all, chance(40) ? end() : List.of());
    }

    private void declare(String name, Type type, Holder holder, int percent) {
        if (chance(percent)) {
            int kind = random.nextInt(100);
            boolean plain = holder == Holder.NODE || mayRace;
            fields.add(new Field(
                    name,
                    type,
                    holder,
                    plain && kind < 45 ? Declared.PLAIN : kind < 72 ? Declared.RACY : Declared.VOLATILE));
        }
    }

    private List<Op> end() {
        List<Op> ops = new ArrayList<>();
        for (Field field : fields) {
            if (field.holder() != Holder.NODE) {
                Local to = new Local(locals++, field.type());
                ops.add(new Load(to, new Place(null, field, 0), How.DIRECT));
                if (to.type() != Type.INT) {
                    List<Op> body = new ArrayList<>();
                    for (Place place : places(to)) {
                        body.add(new Load(new Local(locals++, place.type()), place, How.DIRECT));
                    }
                    ops.add(new IfSome(to, body));
                }
            }
        }
        return ops;
    }

    // Actors

    /** The static state at some point of an actor: its local variables, and which of them are not null. */
    private record Scope(List<Local> locals, List<Operand> objects) {

        Scope inner() {
            return new Scope(new ArrayList<>(locals), new ArrayList<>(objects));
        }
    }

    private List<Op> actor(int number, int length) {
        Scope scope = new Scope(new ArrayList<>(), new ArrayList<>());
        List<Op> ops = new ArrayList<>();
        if (number == 0 || chance(30)) {
            make(ops, scope);
            for (int stores = random.nextInt(3); stores > 0 && !scope.objects.isEmpty(); stores--) {
                Place place = any(places(scope.objects.get(0)));
                ops.add(store(place, value(place.type(), scope), scope));
            }
            if (!scope.objects.isEmpty() && chance(75)) {
                publish(ops, scope);
            }
        } else if (chance(60)) {
            Place from = any(
                    shared().stream().filter(place -> place.type() != Type.INT).toList());
            ops.addAll(loadAndUse(from, scope, length));
        }
        append(ops, scope, length - size(ops));
        return ops;
    }

    /** Mostly accesses to shared variables, in which the models differ. */
    private List<Op> flat(int length) {
        Scope scope = new Scope(new ArrayList<>(), new ArrayList<>());
        List<Op> ops = new ArrayList<>();
        if (chance(50)) {
            make(ops, scope);
        }
        for (int left = length - ops.size(); left > 0; left--) {
            Place place = any(shared());
            if (chance(20)) {
                append(ops, scope, 1);
            } else if (chance(50)) {
                ops.add(store(
                        place,
                        place.type() == Type.INT ? new Constant(1 + random.nextInt(2)) : value(place.type(), scope),
                        scope));
            } else {
                ops.addAll(loadAndUse(place, scope, 1 + random.nextInt(2)));
            }
        }
        return ops;
    }

    private static int size(List<Op> ops) {
        return ops.stream()
                .mapToInt(op -> Math.max(1, size(SmallProgram.body(op))))
                .sum();
    }

    private void append(List<Op> ops, Scope scope, int length) {
        for (int left = length; left > 0; left--) {
            int kind = random.nextInt(100);
            if (more && chance(25)) {
                more(ops, scope);
            } else if (kind < 12) {
                make(ops, scope);
            } else if (kind < 38 && !scope.objects.isEmpty()) {
                publish(ops, scope);
            } else if (kind < 44) {
                ops.add(new Fence(any(List.of(FenceKind.values()))));
            } else if (kind < 56) {
                ops.addAll(update(place(scope), scope));
            } else if (kind < 80) {
                Place place = place(scope);
                ops.add(store(place, value(place.type(), scope), scope));
            } else {
                ops.addAll(loadAndUse(place(scope), scope, left));
            }
        }
    }

    /** Rare operations. */
    private void more(List<Op> ops, Scope scope) {
        if (!hasStarted && chance(30)) {
            start(ops, scope);
            return;
        }
        List<Operand> arrays = scope.objects.stream()
                .filter(object -> SmallProgram.typeOf(object).isArray())
                .toList();
        List<Operand> nodes = scope.objects.stream()
                .filter(object -> SmallProgram.typeOf(object) == Type.NODE)
                .toList();
        if (!arrays.isEmpty() && chance(70)) {
            Operand from = any(arrays);
            Type type = SmallProgram.typeOf(from);
            List<Operand> alike = arrays.stream()
                    .filter(array -> SmallProgram.typeOf(array) == type)
                    .toList();
            if (chance(50)) {
                ops.add(new CopyTo(from, any(alike)));
            } else {
                Local to = new Local(locals++, type);
                ops.add(new CopyOf(to, SmallProgram.COPIES + locals, from));
                scope.locals.add(to);
                scope.objects.add(to);
            }
        } else if (!tellsObjects && !nodes.isEmpty() && chance(40)) {
            Local to = new Local(locals++, Type.NODE);
            ops.add(new CloneOf(to, SmallProgram.COPIES + locals, any(nodes)));
            scope.locals.add(to);
            scope.objects.add(to);
        } else if (chance(65)) {
            Operand monitor = scope.objects.isEmpty() || chance(30) ? SmallProgram.ROOT : any(scope.objects);
            Scope inner = scope.inner();
            List<Op> body = new ArrayList<>();
            append(body, inner, 1 + random.nextInt(2));
            ops.add(new Locked(monitor, body));
        } else {
            Place from = any(shared());
            Local to = new Local(locals++, from.type());
            How how = how(from, scope);
            if (new Load(to, from, how).mode() != Mode.PLAIN) {
                ops.add(new Await(new Load(to, from, how)));
                scope.locals.add(to);
                if (to.type() != Type.INT) {
                    scope.objects.add(to);
                }
            }
        }
    }

    private void start(List<Op> ops, Scope scope) {
        hasStarted = true;
        List<Local> own = ops.stream()
                .filter(New.class::isInstance)
                .map(op -> ((New) op).to())
                .toList();
        Local captured = own.isEmpty() ? null : any(own);
        List<Op> body = new ArrayList<>();
        append(
                body,
                new Scope(
                        captured == null ? new ArrayList<>() : new ArrayList<>(List.of(captured)),
                        captured == null ? new ArrayList<>() : new ArrayList<>(List.of(captured))),
                1 + random.nextInt(3));
        ops.add(new Start(captured, body));
        append(ops, scope, random.nextInt(2));
        if (chance(60)) {
            ops.add(new Join());
            append(ops, scope, random.nextInt(2));
        }
    }

    private void make(List<Op> ops, Scope scope) {
        if (objects == MOST_OBJECTS) {
            ops.add(new Fence(any(List.of(FenceKind.values()))));
            return;
        }
        Type type = has(Type.INTS) && chance(30) ? Type.INTS : has(Type.NODES) && chance(20) ? Type.NODES : Type.NODE;
        Local to = new Local(locals++, type);
        int id = SmallProgram.GIVEN.size() + ++objects;
        ops.add(new New(to, id, type == Type.NODE && chance(30) ? new Constant(random.nextInt(3)) : null));
        scope.locals.add(to);
        scope.objects.add(to);
    }

    private boolean has(Type type) {
        return fields.stream().anyMatch(field -> field.type() == type);
    }

    private void publish(List<Op> ops, Scope scope) {
        Operand object = any(scope.objects);
        List<Place> fitting = shared().stream()
                .filter(place -> place.type() == SmallProgram.typeOf(object))
                .toList();
        if (!fitting.isEmpty()) {
            Place place = any(fitting);
            if (chance(80)) {
                ops.add(store(place, object, scope));
            } else {
                ops.add(compareOrSet(place, object, scope));
            }
        }
    }

    private List<Op> loadAndUse(Place from, Scope scope, int length) {
        Local to = new Local(locals++, from.type());
        List<Op> ops = new ArrayList<>(List.of(new Load(to, from, how(from, scope))));
        scope.locals.add(to);
        if (to.type() != Type.INT && length > 1 && chance(90)) {
            Scope inner = scope.inner();
            inner.objects.add(to);
            List<Op> body = new ArrayList<>();
            List<Place> own = places(to);
            for (int i = 0, count = 1 + random.nextInt(Math.min(3, length - 1)); i < count; i++) {
                Place place = any(own);
                if (chance(70)) {
                    body.addAll(loadAndUse(place, inner, 1 + random.nextInt(2)));
                } else if (chance(70)) {
                    body.add(store(place, value(place.type(), inner), inner));
                } else {
                    append(body, inner, 1);
                }
            }
            ops.add(new IfSome(to, body));
        }
        return ops;
    }

    private List<Op> update(Place place, Scope scope) {
        if (place.type() == Type.INT && chance(40)) {
            return List.of(new Update(
                    new Local(locals++, Type.INT),
                    place,
                    Kind.ADD,
                    null,
                    new Constant(1 + random.nextInt(2)),
                    any(List.of(UPDATES).subList(0, 4))));
        }
        return List.of(compareOrSet(place, value(place.type(), scope), scope));
    }

    private Op compareOrSet(Place place, Operand value, Scope scope) {
        Kind kind = any(List.of(Kind.SET, Kind.COMPARE, Kind.EXCHANGE));
        Mode mode = any(List.of(UPDATES));
        if (mode == Mode.OPAQUE && kind != Kind.COMPARE) {
            mode = Mode.VOLATILE;
        }
        Operand expected =
                chance(70) ? place.type() == Type.INT ? new Constant(0) : new Null() : value(place.type(), scope);
        return new Update(
                new Local(locals++, place.type()), place, kind, kind == Kind.SET ? null : expected, value, mode);
    }

    private Store store(Place place, Operand value, Scope scope) {
        return new Store(place, value, how(place, scope));
    }

    // Locations, values and modes

    /** The locations that all actors can reach from the beginning. */
    private List<Place> shared() {
        List<Place> places = new ArrayList<>();
        for (Field field : fields) {
            if (field.holder() != Holder.NODE) {
                int weight =
                        field.name().equals("m") ? 4 : field.type() == Type.INT ? 2 : 1; // so that threads interact
                places.addAll(Collections.nCopies(weight, new Place(null, field, 0)));
            } else if (random.nextInt(4) == 0) {
                places.add(new Place(SmallProgram.ROOT, field, 0));
            }
        }
        for (Given array : List.of(SmallProgram.INTS, SmallProgram.NODES)) {
            if (random.nextInt(8) == 0) {
                places.add(new Place(array, null, random.nextInt(SmallProgram.ELEMENTS)));
            }
        }
        return places;
    }

    private List<Place> places(Operand object) {
        List<Place> places = new ArrayList<>();
        if (SmallProgram.typeOf(object) == Type.NODE) {
            fields.stream()
                    .filter(field -> field.holder() == Holder.NODE)
                    .forEach(field -> places.add(new Place(object, field, 0)));
        } else {
            for (int i = 0; i < SmallProgram.ELEMENTS; i++) {
                places.add(new Place(object, null, i));
            }
        }
        return places;
    }

    private Place place(Scope scope) {
        return !scope.objects.isEmpty() && chance(65) ? any(places(any(scope.objects))) : any(shared());
    }

    private Operand value(Type type, Scope scope) {
        List<Local> fitting =
                scope.locals.stream().filter(local -> local.type() == type).toList();
        if (!fitting.isEmpty() && chance(type == Type.INT ? 15 : 65)) {
            return any(fitting);
        }
        return type == Type.INT
                ? new Constant(random.nextInt(3))
                : type == Type.NODE && chance(15) ? SmallProgram.ROOT : new Null();
    }

    private How how(Place place, Scope scope) {
        while (true) {
            How how = any(List.of(
                    How.DIRECT,
                    How.DIRECT,
                    How.DIRECT,
                    How.HANDLE,
                    How.OPAQUE,
                    How.OPAQUE,
                    How.ACQUIRE_RELEASE,
                    How.ACQUIRE_RELEASE,
                    How.VOLATILE));
            if (mostlyVolatile && chance(70)) {
                return How.VOLATILE;
            }
            boolean isShared = place.base() == null || place.base() instanceof Given;
            boolean plain = (how == How.DIRECT || how == How.HANDLE) && place.plain(how) == Mode.PLAIN;
            if (mayRace || !plain || !isShared && chance(50)) {
                return how;
            }
        }
    }
}
