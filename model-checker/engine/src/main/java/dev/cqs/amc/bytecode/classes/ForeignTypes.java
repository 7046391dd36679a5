package dev.cqs.amc.bytecode.classes;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Decides by static types which variables may refer to foreign objects, whose classes are not instrumented. */
public final class ForeignTypes {

    private static final Set<String> CONSTANTS =
            Set.of("java/lang/String", "java/lang/Class", "java/lang/invoke/VarHandle");
    private static final Set<String> HARMLESS_ROOTS =
            Set.of("java/lang/Object", "java/lang/Enum", "java/lang/Record", "java/lang/Number");

    /** The types of immutable objects. */
    private static final Set<String> UNCHANGING = Set.of(
            "Ljava/lang/String;",
            "Ljava/lang/Class;",
            "Ljava/lang/Integer;",
            "Ljava/lang/Long;",
            "Ljava/lang/Boolean;",
            "Ljava/lang/Character;",
            "Ljava/lang/Byte;",
            "Ljava/lang/Short;",
            "Ljava/lang/Float;",
            "Ljava/lang/Double;",
            "Ljava/math/BigInteger;",
            "Ljava/math/BigDecimal;",
            "Ljava/lang/invoke/VarHandle;",
            "Ljava/lang/invoke/MethodHandle;",
            "Ljava/lang/invoke/MethodType;");

    private final ClassShapes shapes;
    private final Scope scope;

    public ForeignTypes(ClassShapes shapes, Scope scope) {
        this.shapes = shapes;
        this.scope = scope;
    }

    /** Whether an object of this type may be foreign, or inherit state from an uninstrumented class. */
    @SuppressWarnings("NullAway") // Object is not in the scope
    public boolean allow(Type type) {
        if (!Code.isReference(type) || CONSTANTS.contains(type.getInternalName())) {
            return false;
        }
        String at = type.getInternalName();
        while (scope.coversInternal(at)) {
            ClassShape shape = shapes.get(at);
            if (shape == null || shape.isInterface()) {
                return true;
            }
            at = shape.superName();
        }
        return at.equals(type.getInternalName()) || !HARMLESS_ROOTS.contains(at);
    }

    /** Whether an object of this type may be an array or of an instrumented class. */
    public boolean allowWatched(Type type) {
        return Code.isReference(type) && !CONSTANTS.contains(type.getInternalName());
    }

    /** Whether calls of the class, which is neither instrumented nor of the JDK, may change static fields. */
    @SuppressWarnings("NullAway") // get() answers the same each time
    boolean hasStaticState(String internalName) {
        boolean isOurs = internalName.startsWith("dev/cqs/amc/")
                && (internalName.equals("dev/cqs/amc/Execution")
                        || internalName.equals("dev/cqs/amc/bytecode/runtime/Hooks")
                        || internalName.equals("dev/cqs/amc/bytecode/runtime/ThreadHooks"));
        if (isOurs || internalName.startsWith("[") || scope.coversInternal(internalName)) {
            return false;
        }
        for (String at = internalName;
                at != null && !Scope.isPlatform(at.replace('/', '.'));
                at = shapes.get(at).superName()) {
            if (shapes.get(at) == null) {
                return false;
            }
            if (shapes.get(at).hasStaticState()) {
                return true;
            }
        }
        return false;
    }

    /** The same for a method that the class, which is instrumented, inherits from an uninstrumented class. */
    boolean inheritsStaticState(String internalName, String method, String descriptor) {
        if (internalName.startsWith("[") || !scope.coversInternal(internalName)) {
            return false;
        }
        String owner = shapes.declaring(internalName, method, descriptor);
        return owner != null
                && !scope.coversInternal(owner)
                && !Scope.isPlatform(owner.replace('/', '.'))
                && hasStaticState(owner);
    }

    /** Whether a class with this static field keeps state between calls. */
    static boolean isStaticState(int access, String descriptor) {
        if ((access & Opcodes.ACC_STATIC) == 0 || (access & Opcodes.ACC_SYNTHETIC) != 0) {
            return false;
        }
        boolean isConstant =
                descriptor.length() == 1 || UNCHANGING.contains(descriptor) || (access & Opcodes.ACC_ENUM) != 0;
        return (access & Opcodes.ACC_FINAL) == 0 || !isConstant;
    }
}
