package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.FieldInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The heap of a scenario: maps objects to numbers, which are the references in the graph, and fields and array elements
 * to locations. The real fields of an object that has escaped are not written during exploration; they keep the values
 * of the set-up.
 */
public final class Heap {

    /**
     * What a location stands for. The index is the number of a field, the index of an element, or one of the constants
     * below.
     */
    private record Place(Shadow holder, int index) {}

    private static final int MONITOR = -2;
    private static final int WAITERS = -3;
    private static final int CONTENT = -4;
    private static final int CLOCK = -5;

    private final CodeTable code;
    private final FieldAccess fields;
    private final HandleTargets handles;
    private final List<Shadow> shadows = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    /** Per location of a field or element of an object that an actor makes: the number of that object; otherwise -1. */
    private int[] holders = new int[64];
    /** The kinds of objects that are expanded, in the order of expansion. */
    private final Set<String> expanded = new LinkedHashSet<>();
    /** Whether {@link #expanded} is not empty. It is a field because each access reads it. */
    private boolean hasExpanded;

    private final Map<String, Integer> freezes = new HashMap<>();
    private long[] initial = new long[64];
    /** The locations whose initial value has been read. */
    private final BitSet initialized = new BitSet();
    /** The holder of the static fields. */
    private final Shadow statics;
    /** Per actor, the objects that it makes, in order. */
    private final List<List<Shadow>> made = new ArrayList<>();
    /** The shadows of objects without a shadow field that are the same in all executions. */
    private final Map<Object, Shadow> persistent = new IdentityHashMap<>();
    /** The same by equality, for values such as strings and boxes that are used without their identity. */
    private final Map<Object, Shadow> values = new HashMap<>();
    /** The same by identity, for values that are used with their identity: the canonical object of each shadow. */
    private final Map<Object, Shadow> valueObjects = new IdentityHashMap<>();
    /** The same for values that an actor made in this execution. */
    private final Map<Object, Shadow> presentValues = new IdentityHashMap<>();

    private final Map<List<Object>, Shadow> valuesByOrigin = new HashMap<>();
    /** The shadows of objects without a shadow field that an actor made in this execution. */
    private final Map<Object, Shadow> present = new IdentityHashMap<>();

    private final Variants variants = new Variants();
    private final SearchAssumptions assumptions;
    private final IdentityHashes hashes;
    private final Times times;
    private int clock = -1;
    private final Notes notes = new Notes();
    private @Nullable ObjectNames names;
    private int execution = 1;

    public Heap(CodeTable code, FieldAccess fields, SearchAssumptions assumptions) {
        this.code = code;
        this.fields = fields;
        this.assumptions = assumptions;
        hashes = new IdentityHashes(assumptions.hashOrder());
        times = new Times(assumptions.isLate());
        handles = new HandleTargets(code);
        statics = newShadow(Shadow.NOBODY, 0, Class.class, 0);
    }

    public int execution() {
        return execution;
    }

    public void beginExecution() {
        execution++;
        if (!present.isEmpty()) { // clearing an empty map takes as long as clearing a full one
            present.clear();
        }
        if (!presentValues.isEmpty()) {
            presentValues.clear();
        }
    }

    // Objects

    private Shadow newShadow(int owner, int serial, Class<?> type, int site) {
        Shadow shadow = new Shadow(shadows.size() + 1, owner, serial, type, site);
        shadows.add(shadow);
        return shadow;
    }

    public Shadow shadow(long id) {
        return shadows.get((int) id - 1);
    }

    /** Registers an object of the set-up. */
    public Shadow newPersistent(Object object) {
        Shadow shadow = newShadow(Shadow.NOBODY, shadows.size(), object.getClass(), 0);
        shadow.object = object;
        if (object instanceof Shadowed shadowed) {
            shadowed.amc$shadow(shadow);
        } else {
            persistent.put(object, shadow);
        }
        return shadow;
    }

    /** Registers the {@code serial}-th object of an actor. {@code site} is the allocation site of an array, else 0. */
    public Shadow newLocal(Object object, int actor, int serial, int site) {
        Shadow shadow = ofActor(actor, serial, object.getClass(), site);
        shadow.begin(object, execution, hasExpanded && expanded.contains(kind(shadow)));
        if (!(object instanceof Shadowed)) {
            present.put(object, shadow);
        }
        return shadow;
    }

    private Shadow ofActor(int actor, int serial, Class<?> type, int site) {
        while (made.size() <= actor) {
            made.add(new ArrayList<>());
        }
        List<Shadow> all = made.get(actor);
        if (serial == all.size()) {
            all.add(newShadow(actor, serial, type, site));
        }
        // In another execution the actor may make an object of another kind here: each kind has a shadow.
        Shadow shadow = all.get(serial);
        while (shadow.type != type || shadow.site != site) {
            if (shadow.alternative == null) {
                shadow.alternative = newShadow(actor, serial, type, site);
            }
            shadow = shadow.alternative;
        }
        return shadow;
    }

    /** The shadow of an object, or null if it has none yet. */
    public @Nullable Shadow find(Object object) {
        if (object instanceof Shadowed shadowed) {
            return shadowed.amc$shadow();
        }
        Shadow shadow = present.get(object);
        if (shadow == null) {
            shadow = persistent.get(object);
        }
        if (shadow == null && Foreign.isValue(object)) {
            shadow = values.computeIfAbsent(object, this::newValue);
        }
        return shadow;
    }

    /** The shadow of a value by identity, or null if there is none in this execution. */
    public @Nullable Shadow valueObject(Object value) {
        Shadow shadow = valueObjects.get(value);
        return shadow == null ? presentValues.get(value) : shadow;
    }

    /**
     * Registers a value by identity: the {@code count}-th equal value that the actor makes, or the canonical one if the
     * actor is {@link Shadow#NOBODY}.
     */
    public Shadow newValueObject(Object value, int actor, int count) {
        List<Object> origin = List.of(value, actor, count);
        Shadow shadow = valuesByOrigin.get(origin);
        if (shadow == null) {
            shadow = newValue(value);
            valuesByOrigin.put(origin, shadow);
            valueObjects.put(value, shadow);
        } else {
            presentValues.put(value, shadow);
        }
        return shadow;
    }

    private Shadow valueOfSetUp(Object value) {
        Shadow shadow = valueObject(value);
        if (shadow != null) {
            return shadow;
        }
        return Foreign.isConstantValue(value)
                ? newValueObject(value, Shadow.NOBODY, 0)
                : newValueObject(value, Shadow.NOBODY, shadows.size());
    }

    private Shadow newValue(Object value) {
        Shadow shadow = newShadow(Shadow.NOBODY, shadows.size(), value.getClass(), 0);
        shadow.object = value;
        return shadow;
    }

    // Locations

    public int location(Shadow shadow, int index) {
        int location = shadow.location(index);
        if (location < 0) {
            location = newLocation(new Place(shadow, index));
            shadow.setLocation(index, location);
        }
        return location;
    }

    public int staticLocation(int field) {
        return location(statics, field);
    }

    public int monitor(Shadow shadow) {
        if (shadow.monitor == 0) {
            shadow.monitor = newLocation(new Place(shadow, MONITOR)) + 1;
        }
        return shadow.monitor - 1;
    }

    public int waiters(Shadow shadow) {
        if (shadow.waiters == 0) {
            shadow.waiters = newLocation(new Place(shadow, WAITERS)) + 1;
        }
        return shadow.waiters - 1;
    }

    /** The location of the shared clock. */
    public int clock() {
        if (clock < 0) {
            clock = newLocation(new Place(statics, CLOCK));
        }
        return clock;
    }

    /**
     * The location of the contents of an exception. Message, cause, stack trace and so on are one location, because the
     * checker cannot observe accesses to them.
     */
    public int content(Shadow shadow) {
        if (shadow.content == 0) {
            shadow.content = newLocation(new Place(shadow, CONTENT)) + 1;
        }
        return shadow.content - 1;
    }

    private int newLocation(Place place) {
        int location = places.size();
        places.add(place);
        if (location == holders.length) {
            holders = Arrays.copyOf(holders, 2 * location);
        }
        holders[location] = place.holder.isPersistent() || place.index < 0 ? -1 : place.holder.id;
        return location;
    }

    /** The number of the object that has this location as a field or element, if an actor made it; otherwise -1. */
    public int holder(int location) {
        return location < 0 ? -1 : holders[location];
    }

    // Expanded objects

    /** Expands objects of the kind of this one, from the next execution on. */
    public void expand(long object) {
        expand(kind(shadow(object)));
    }

    // Final fields

    /** The prefix, in {@link #expanded}, of kinds of objects that get no covers. */
    private static final String UNCOVERED = "reached in other ways ";

    /** Whether the freezes of final fields matter: not while nothing is expanded. */
    public boolean watchesFreezes() {
        return hasExpanded;
    }

    /** The number of the freeze of an object's final fields that the class {@code owner} declares. */
    public int freeze(Shadow shadow, String owner) {
        return freezes.computeIfAbsent(shadow.id + " " + owner, key -> freezes.size());
    }

    /** Whether objects of the kind of this one may have covers; see {@link dev.cqs.amc.dpor.Freezes}. */
    public boolean isCovered(long object) {
        return !expanded.contains(UNCOVERED + kind(shadow(object)));
    }

    /** Ends covers for objects of the kind of this one, from the next execution on. */
    public void uncover(long object) {
        expand(UNCOVERED + kind(shadow(object)));
    }

    /** Whether a value of a location is the number of an object that another actor made. */
    public boolean isOfAnother(int actor, int location, long value) {
        return value != 0 && isReference(location) && !shadow(value).isPersistent() && shadow(value).owner != actor;
    }

    /** Expands objects of the kind with this name, from the next execution on. */
    public void expand(String kind) {
        expanded.add(kind);
        hasExpanded = true;
    }

    /** Whether any kind of objects is expanded. */
    public boolean hasExpanded() {
        return hasExpanded;
    }

    /** The kinds of objects that are expanded. */
    public Set<String> expanded() {
        return expanded;
    }

    /** The kind of an object: its class, or the allocation site of an array. The name is stable between checks. */
    private String kind(Shadow shadow) {
        return shadow.site == 0 ? shadow.type.getName() : code.site(shadow.site).key();
    }

    /** The value of the initial write: the value after the set-up, or 0 for an object that an actor makes. */
    public long initial(int location) {
        if (!initialized.get(location)) {
            long value = readInitial(places.get(location)); // which may add locations
            if (location >= initial.length) {
                initial = Arrays.copyOf(initial, 2 * location);
            }
            initial[location] = value;
            initialized.set(location);
        }
        return initial[location];
    }

    private long readInitial(Place place) {
        if (place.index == CLOCK) {
            return times.beginAll();
        }
        if (!place.holder.isPersistent() || place.index < 0) {
            return 0;
        }
        if (place.holder.type.isArray() && place.holder != statics) {
            return Elements.isReference(place.holder.object)
                    ? number(Elements.getReference(place.holder.object, place.index))
                    : Elements.get(place.holder.object, place.index);
        }
        return fields.isReference(place.index)
                ? number(fields.getReference(place.holder.object, place.index))
                : fields.get(place.holder.object, place.index);
    }

    /** The shadow of an object whose identity hash code the set-up uses. */
    public Shadow shadowOfSetUp(Object object) {
        return shadow(number(object));
    }

    /** The number of an object of the set-up. */
    public long number(Object object) {
        if (object == null) {
            return 0;
        }
        if (Foreign.isAmbiguous(object)) {
            return valueOfSetUp(object).id;
        }
        Shadow shadow = find(object);
        return (shadow == null ? newPersistent(object) : shadow).id;
    }

    // Identity hash codes and time

    public int identityHash(Shadow shadow) {
        return hashes.of(shadow);
    }

    public IdentityHashes hashes() {
        return hashes;
    }

    public Times times() {
        return times;
    }

    public Notes notes() {
        return notes;
    }

    public SearchAssumptions assumptions() {
        return assumptions;
    }

    // Names

    /** Sets the names of the objects of the set-up. */
    public void useNames(ObjectNames used) {
        names = used;
    }

    public String locationName(int location) {
        Place place = places.get(location);
        if (place.index == MONITOR) {
            return "monitor of " + name(place.holder);
        }
        if (place.index == WAITERS) {
            return "waiters of " + name(place.holder);
        }
        if (place.index == CLOCK) {
            return "the clock";
        }
        if (place.index == CONTENT) {
            return "content of " + name(place.holder);
        }
        if (place.holder == statics) {
            FieldInfo field = code.field(place.index);
            return simpleName(field.owner()) + "." + field.name();
        }
        if (place.holder.type.isArray()) {
            return name(place.holder) + "[" + place.index + "]";
        }
        String field = code.field(place.index).name();
        String path = names == null ? null : names.ofField(place.holder, field);
        return path == null ? name(place.holder) + "." + field : path;
    }

    /** Whether the location holds references. */
    public boolean isReference(int location) {
        Place place = places.get(location);
        return place.index >= 0
                && (place.holder != statics && place.holder.type.isArray()
                        ? !place.holder.type.getComponentType().isPrimitive()
                        : fields.isReference(place.index));
    }

    public String valueName(int location, long value) {
        Place place = places.get(location);
        if (!isReference(location)) {
            return fields.valueName(place.holder != statics && place.holder.type.isArray() ? -1 : place.index, value);
        }
        return value == 0 ? "null" : name(shadow(value));
    }

    private String name(Shadow shadow) {
        if (Foreign.isPlainValue(shadow.object)) {
            return shadow.object instanceof String ? "\"" + shadow.object + "\"" : String.valueOf(shadow.object);
        }
        if (shadow.isPersistent() && shadow.object instanceof Enum<?> constant) {
            return constant.name();
        }
        String known = names == null ? null : names.of(shadow);
        if (known != null) {
            return known;
        }
        Class<?> element = elementType(shadow.type);
        String type = element.isHidden()
                ? "lambda"
                : simpleName(element.getName()); // the name of a hidden class differs each time
        return shadow.isPersistent() ? type : type + "#" + shadow.owner + "." + shadow.serial;
    }

    private static Class<?> elementType(Class<?> type) {
        return type.isArray() ? elementType(type.getComponentType()) : type;
    }

    private static String simpleName(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** The mode of an ordinary access to a field, by its declaration. */
    public Mode declaredMode(int field) {
        return code.field(field).isVolatile() ? Mode.VOLATILE : plainMode(field);
    }

    /** The mode in which a plain access to a field is checked. */
    public Mode plainMode(int field) {
        return code.field(field).isRacy() ? Mode.OPAQUE : Mode.PLAIN;
    }

    public Variants variants() {
        return variants;
    }

    public FieldAccess fields() {
        return fields;
    }

    public HandleTargets handles() {
        return handles;
    }
}
