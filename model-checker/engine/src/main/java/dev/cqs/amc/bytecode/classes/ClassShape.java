package dev.cqs.amc.bytecode.classes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The super types and members of a class, as its class file declares them. */
final class ClassShape extends ClassVisitor {

    private int access;

    @SuppressWarnings("NullAway.Init") // visit() comes first
    private String name;

    private @Nullable String superName;
    private List<String> interfaces = List.of();
    private boolean hasStaticState;
    private final Map<String, Integer> fields = new HashMap<>();
    private final Map<String, Integer> methods = new HashMap<>();

    ClassShape() {
        super(Opcodes.ASM9);
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        this.access = access;
        this.name = name;
        this.superName = superName;
        this.interfaces = interfaces == null ? List.of() : List.of(interfaces);
    }

    @Override
    public @Nullable FieldVisitor visitField(
            int access, String name, String descriptor, String signature, Object value) {
        fields.put(name + descriptor, access);
        hasStaticState |= ForeignTypes.isStaticState(access, descriptor);
        return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        methods.put(name + descriptor, access);
        return null;
    }

    String name() {
        return name;
    }

    /** Null for {@code Object} alone. */
    @Nullable
    String superName() {
        return superName;
    }

    List<String> interfaces() {
        return interfaces;
    }

    /** Whether it declares a mutable static field, or one that refers to a mutable object. */
    boolean hasStaticState() {
        return hasStaticState;
    }

    boolean isInterface() {
        return (access & Opcodes.ACC_INTERFACE) != 0;
    }

    /** The access flags of a field that this class declares, or null. */
    @Nullable
    Integer field(String name, String descriptor) {
        return fields.get(name + descriptor);
    }

    /** The access flags of a method that this class declares, or null. */
    @Nullable
    Integer method(String name, String descriptor) {
        return methods.get(name + descriptor);
    }
}
