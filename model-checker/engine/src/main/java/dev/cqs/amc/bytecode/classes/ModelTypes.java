package dev.cqs.amc.bytecode.classes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.Remapper;

/** Replaces JDK types by their models, which are ordinary, instrumented classes. */
public final class ModelTypes extends Remapper {

    private static final String MODELS = Scope.MODELS.replace('.', '/');

    private static final List<String> MODELLED = List.of(
            "java/lang/Thread",
            "java/lang/Thread$UncaughtExceptionHandler",
            "java/lang/ThreadLocal",
            "java/util/concurrent/locks/LockSupport",
            "java/util/concurrent/locks/AbstractOwnableSynchronizer",
            "java/util/concurrent/atomic/AtomicInteger",
            "java/util/concurrent/atomic/AtomicLong",
            "java/util/concurrent/atomic/AtomicBoolean",
            "java/util/concurrent/atomic/AtomicReference",
            "java/util/concurrent/atomic/AtomicStampedReference",
            "java/util/concurrent/atomic/AtomicMarkableReference",
            "java/util/concurrent/atomic/AtomicIntegerArray",
            "java/util/concurrent/atomic/AtomicLongArray",
            "java/util/concurrent/atomic/AtomicReferenceArray",
            "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
            "java/util/concurrent/atomic/AtomicLongFieldUpdater",
            "java/util/concurrent/atomic/AtomicReferenceFieldUpdater");

    private final Map<String, String> models = new HashMap<>();

    /** Uses the models that are among {@code resources}. */
    public ModelTypes(ClassLoader resources) {
        super(Opcodes.ASM9);
        for (String type : MODELLED) {
            String model = MODELS + type.substring(type.lastIndexOf('/') + 1);
            if (resources.getResource(model + ".class") != null) {
                models.put(type, model);
            }
        }
    }

    /** Whether types are replaced in the class with this internal name, which is so except in the models themselves. */
    public static boolean appliesTo(String internalName) {
        return !internalName.startsWith(MODELS);
    }

    @Override
    public String map(String internalName) {
        return models.getOrDefault(internalName, internalName);
    }
}
