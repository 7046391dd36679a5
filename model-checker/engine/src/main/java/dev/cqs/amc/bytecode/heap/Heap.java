package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.Mode;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.FieldInfo;
import dev.cqs.amc.bytecode.classes.Site;
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
 * The memory of a scenario: numbers for objects, which the graph holds instead of references, and locations for
 * their fields and elements. The real fields of an object that others know are never written while executions are
 * explored; they keep what the set-up has left in them.
 */
public final class Heap {

    /** What a location is: of a field its number, of an element its index, or one of those below. */
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
    /** Per location: the number of the object that an actor makes and that has it as a field or element; or -1. */
    private int[] holders = new int[64];
    /** The kinds of objects that are expanded, in the order in which they came to be. */
    private final Set<String> expanded = new LinkedHashSet<>();
    /** Whether there are any: asked at each access. */
    private boolean hasExpanded;

    private final Map<String, Integer> freezes = new HashMap<>();
    private long[] initial = new long[64];
    /** Those that have been read. */
    private final BitSet initialized = new BitSet();
    /** Holds the static fields. */
    private final Shadow statics;
    /** Per actor, its objects in the order in which it makes them. */
    private final List<List<Shadow>> made = new ArrayList<>();
    /** The shadows of objects that have no room for one, and are the same in all executions. */
    private final Map<Object, Shadow> persistent = new IdentityHashMap<>();
    /** The same by equality, for values such as strings and numbers, where it does not matter which object it is. */
    private final Map<Object, Shadow> values = new HashMap<>();
    /** The same for values as objects, of which several may be equal: the first for each shadow, for all executions. */
    private final Map<Object, Shadow> valueObjects = new IdentityHashMap<>();
    /** The same for those that an actor has made again in this execution. */
    private final Map<Object, Shadow> presentValues = new IdentityHashMap<>();

    private final Map<List<Object>, Shadow> valuesByOrigin = new HashMap<>();
    /** The same for those that an actor has made in this execution. */
    private final Map<Object, Shadow> present = new IdentityHashMap<>();

    private final Variants variants = new Variants();
    private final Circumstances circumstances;
    private final IdentityHashes hashes;
    private final Times times;
    private int clock = -1;
    private final Set<String> notes = new LinkedHashSet<>();
    private @Nullable ObjectNames names;
    private int execution = 1;

    public Heap(CodeTable code, FieldAccess fields, Circumstances circumstances) {
        this.code = code;
        this.fields = fields;
        this.circumstances = circumstances;
        hashes = new IdentityHashes(circumstances.hashOrder());
        times = new Times(circumstances.isLate());
        handles = new HandleTargets(code);
        statics = newShadow(Shadow.NOBODY, 0, Class.class, 0);
    }

    public int execution() {
        return execution;
    }

    public void beginExecution() {
        execution++;
        if (!present.isEmpty()) { // to clear an empty map takes as long as to clear a full one
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

    /** An object that is made while the scenario is set up. */
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

    /** An object that an actor makes now, its {@code serial}-th; an array, at {@code site} (else 0). */
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
        // In another execution, the actor may make an object of another kind at this point: each has a shadow.
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

    /** The shadow of a value as an object, or null if it is not known as one in this execution. */
    public @Nullable Shadow valueObject(Object value) {
        Shadow shadow = valueObjects.get(value);
        return shadow == null ? presentValues.get(value) : shadow;
    }

    /**
     * The shadow of a value that gets known as an object: the {@code count}-th of those that are equal and that the actor makes,
     * or, if the actor is {@link Shadow#NOBODY}, the one that all have.
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

    /** The clock, if all threads have one. */
    public int clock() {
        if (clock < 0) {
            clock = newLocation(new Place(statics, CLOCK));
        }
        return clock;
    }

    /** What an exception holds: message, cause, stack trace and so on are one location, because no access to them is seen. */
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

    /** The number of the object that an actor makes and that has this location as a field or element; or -1. */
    public int holder(int location) {
        return location < 0 ? -1 : holders[location];
    }

    // Objects whose accesses are all in the graph

    /** Objects of the kind of this one are expanded from the next execution on. */
    public void expand(long object) {
        expand(kind(shadow(object)));
    }

    // Final fields

    /** Kinds of objects that are not covered are among the kinds that are expanded, after this. */
    private static final String UNCOVERED = "reached in other ways ";

    /** Whether there may be accesses for which it matters when constructors have ended: not as long as nothing is expanded. */
    public boolean watchesFreezes() {
        return hasExpanded;
    }

    /** The number of the freeze of the final fields that the class {@code owner} gives to an object. */
    public int freeze(Shadow shadow, String owner) {
        return freezes.computeIfAbsent(shadow.id + " " + owner, key -> freezes.size());
    }

    /** Whether objects of the kind of this one come after the freezes of the final fields that they are reached through. */
    public boolean isCovered(long object) {
        return !expanded.contains(UNCOVERED + kind(shadow(object)));
    }

    /** Objects of the kind of this one do not, from the next execution on. */
    public void uncover(long object) {
        expand(UNCOVERED + kind(shadow(object)));
    }

    /** Whether a value of a location is the number of an object that an actor has made, and not this one. */
    public boolean isOfAnother(int actor, int location, long value) {
        return value != 0 && isReference(location) && !shadow(value).isPersistent() && shadow(value).owner != actor;
    }

    /** Objects of the kind with this name are expanded from the next execution on. */
    public void expand(String kind) {
        expanded.add(kind);
        hasExpanded = true;
    }

    /** Whether the objects of any kind are expanded. */
    public boolean hasExpanded() {
        return hasExpanded;
    }

    /** The kinds of objects that are expanded. */
    public Set<String> expanded() {
        return expanded;
    }

    /** What is expanded together: the objects of a class, the arrays that are made at a place. The name is the same in each check. */
    private String kind(Shadow shadow) {
        return shadow.site == 0 ? shadow.type.getName() : code.site(shadow.site).key();
    }

    /** What the set-up has left there; what an actor makes holds nothing at first. */
    public long initial(int location) {
        if (!initialized.get(location)) {
            long value = readInitial(places.get(location)); // which may make other locations
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

    /** The shadow of an object that is asked for its identity hash code while the scenario is set up. */
    public Shadow shadowOfSetUp(Object object) {
        return shadow(number(object));
    }

    /** The number of an object that the set-up has made. */
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

    public Circumstances circumstances() {
        return circumstances;
    }

    // Notes

    /** A fence is taken for none. */
    public void noteIgnored(Site fence) {
        boolean isLoad = fence.key().contains(":loadLoadFence#");
        notes.add("VarHandle." + (isLoad ? "loadLoadFence" : "storeStoreFence") + " at " + fence.where()
                + " is taken for no fence at all:"
                + " it orders " + (isLoad ? "reads with later reads" : "writes with later writes")
                + " alone, which no model here knows."
                + " If something is wrong for want of it, use " + (isLoad ? "acquireFence" : "releaseFence") + ".");
    }

    /** A set or map is gone through in an order that is not the same in every virtual machine. */
    public void noteOrder(Object collection) {
        notes.add("The order in which a " + collection.getClass().getName()
                + " is gone through is that of this run of Java; in another one"
                + " it is another, about which this says nothing. Use a list, or a LinkedHashSet or LinkedHashMap.");
    }

    /** Code of the JDK asks for a hash code, and gets that of the machine. */
    public void noteHash() {
        notes.add(
                "Code of the JDK takes the identity hash code of an object or array, which is that of this run of Java; in another one it"
                        + " is another, about which this says nothing. Call System.identityHashCode, or use a class with a hashCode of its own.");
    }

    /** An object that has final fields is known to other threads when its constructor ends. */
    public void noteLeak(Object object) {
        notes.add("An object of " + object.getClass().getName()
                + " may get known to other threads before its constructor has ended. Its"
                + " final fields are taken for what the constructor has put there; Java promises nothing of them to a thread that gets the"
                + " object without order. Publish it when its constructor has ended.");
    }

    /** A thread is asked for its id. */
    public void noteNumber() {
        notes.add(
                "The id of a thread is asked for. Ids are in the order in which threads are made here; if one is taken for a number, as"
                        + " a slot or a seed, then what is done with other numbers is not known.");
    }

    /** What was taken for something else than it is, each in a sentence. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    // Names

    /** Has objects that the set-up has made be called by these names. */
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

    /** Whether the location holds numbers of objects. */
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
                : simpleName(element.getName()); // a hidden class has another name each time
        return shadow.isPersistent() ? type : type + "#" + shadow.owner + "." + shadow.serial;
    }

    private static Class<?> elementType(Class<?> type) {
        return type.isArray() ? elementType(type.getComponentType()) : type;
    }

    private static String simpleName(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** How strongly an access to a field is ordered by what its declaration says. */
    public Mode declaredMode(int field) {
        return code.field(field).isVolatile() ? Mode.VOLATILE : plainMode(field);
    }

    /** What a plain access to a field is taken for. */
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
