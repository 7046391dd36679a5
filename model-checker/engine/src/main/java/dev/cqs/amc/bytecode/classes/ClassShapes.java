package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.InstrumentationException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;

/**
 * Reads classes from their class files, without loading them: loading a class while another one is loaded may be
 * circular.
 */
public final class ClassShapes {

    /**
     * The result of a field lookup.
     *
     * @param owner the internal name of the class that declares it
     * @param access its access flags
     */
    public record Field(String owner, int access) {

        public boolean isFinal() {
            return (access & Opcodes.ACC_FINAL) != 0;
        }

        public boolean isVolatile() {
            return (access & Opcodes.ACC_VOLATILE) != 0;
        }
    }

    private final ClassLoader resources;
    private final Scope scope;
    private final ModelTypes models;
    private final Map<String, Optional<ClassShape>> shapes = new HashMap<>();

    public ClassShapes(ClassLoader resources, Scope scope, ModelTypes models) {
        this.resources = resources;
        this.scope = scope;
        this.models = models;
    }

    /** The class with this internal name, or null if it has no class file. */
    @Nullable
    ClassShape get(String internalName) {
        Optional<ClassShape> known = shapes.get(internalName);
        if (known == null) {
            known = read(internalName);
            shapes.put(internalName, known);
        }
        return known.orElse(null);
    }

    private Optional<ClassShape> read(String internalName) {
        try (InputStream file = resources.getResourceAsStream(internalName + ".class")) {
            if (file == null) {
                return Optional.empty();
            }
            ClassShape shape = new ClassShape();
            boolean replaced = scope.coversInternal(internalName) && ModelTypes.appliesTo(internalName);
            ClassVisitor visitor = replaced ? new ClassRemapper(shape, models) : shape;
            new ClassReader(file).accept(visitor, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
            return Optional.of(shape);
        } catch (IOException | IllegalArgumentException problem) {
            throw new InstrumentationException(
                    "The class file of " + internalName.replace('/', '.') + " cannot be read: " + problem.getMessage(),
                    problem);
        }
    }

    /** Resolves a field as the JVM does, from the owner in the instruction; null if unknown. */
    @SuppressWarnings("NullAway") // a class that is known has a name
    public @Nullable Field field(@Nullable String owner, String name, String descriptor) {
        ClassShape shape = owner == null || owner.startsWith("[") ? null : get(owner);
        if (shape == null) {
            return null;
        }
        Integer access = shape.field(name, descriptor);
        if (access != null) {
            return new Field(owner, access);
        }
        for (String type : shape.interfaces()) {
            Field inherited = field(type, name, descriptor);
            if (inherited != null) {
                return inherited;
            }
        }
        return field(shape.superName(), name, descriptor);
    }

    /**
     * The access flags of the method that the class or the nearest of its super classes declares; null if none does.
     */
    @Nullable
    Integer method(String owner, String name, String descriptor) {
        String type = owner;
        while (type != null && !type.startsWith("[")) {
            ClassShape shape = get(type);
            if (shape == null) {
                return null;
            }
            Integer access = shape.method(name, descriptor);
            if (access != null) {
                return access;
            }
            type = shape.superName();
        }
        return null;
    }

    /**
     * The class that declares the method, among the class, its super classes and then all interfaces; null if none is
     * found.
     */
    @Nullable
    @SuppressWarnings("NullAway") // get() answers the same each time
    String declaring(String owner, String name, String descriptor) {
        List<String> interfaces = new ArrayList<>();
        for (String type = owner; type != null; type = get(type).superName()) {
            if (get(type) == null) {
                return null;
            }
            if (get(type).method(name, descriptor) != null) {
                return type;
            }
            interfaces.addAll(get(type).interfaces());
        }
        for (int i = 0; i < interfaces.size(); i++) {
            ClassShape shape = get(interfaces.get(i));
            if (shape != null && shape.method(name, descriptor) != null) {
                return interfaces.get(i);
            }
            interfaces.addAll(shape == null ? List.of() : shape.interfaces());
        }
        return null;
    }

    /** Whether a class inherits this method from {@code Object}, without an override. */
    @SuppressWarnings("NullAway") // only Object has no super class
    public boolean inheritsFromObject(String internalName, String name, String descriptor) {
        String at = internalName;
        while (!at.equals("java/lang/Object")) {
            ClassShape shape = get(at);
            if (shape == null || shape.method(name, descriptor) != null) {
                return false;
            }
            at = shape.superName();
        }
        return true;
    }

    /** Whether an object with the static type {@code owner} may inherit {@code Object.hashCode}. */
    @SuppressWarnings("NullAway") // get() answers the same each time
    public boolean mayHaveIdentityHash(String owner) {
        if (owner.startsWith("[") || owner.equals("java/lang/Object")) {
            return true;
        }
        ClassShape shape = get(owner);
        if (shape == null) {
            return scope.coversInternal(owner);
        }
        if (shape.isInterface()) {
            return true;
        }
        if (!scope.coversInternal(owner)) {
            return false;
        }
        for (String type = owner;
                type != null && !isIdentityHash(type);
                type = get(type).superName()) {
            if (get(type) == null || get(type).method("hashCode", "()I") != null) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIdentityHash(String type) {
        return type.equals("java/lang/Object") || type.equals("java/lang/Enum");
    }
}
