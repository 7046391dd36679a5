package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.Mode;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/** Recognizes accesses through variable handles, and fences. */
public final class VariableHandleCalls {

    public static final String OWNER = "java/lang/invoke/VarHandle";

    private static final Map<String, VarHandle.AccessMode> MODES = new HashMap<>();
    private static final Map<String, Mode> FENCES = Map.of(
            "fullFence", Mode.VOLATILE,
            "acquireFence", Mode.ACQUIRE,
            "releaseFence", Mode.RELEASE,
            // These two are weaker than acquire and release fences, which also order reads with later writes. No model
            // here has such fences, so they are ignored; see CodeRun.fence.
            "loadLoadFence", Mode.PLAIN,
            "storeStoreFence", Mode.PLAIN);

    static {
        for (VarHandle.AccessMode mode : VarHandle.AccessMode.values()) {
            MODES.put(mode.methodName(), mode);
        }
    }

    private VariableHandleCalls() {}

    public static boolean isAccess(MethodInsnNode call) {
        return call.owner.equals(OWNER) && MODES.containsKey(call.name);
    }

    public static boolean isFence(MethodInsnNode call) {
        return call.owner.equals(OWNER) && FENCES.containsKey(call.name);
    }

    /** The access mode of an access. */
    public static VarHandle.@Nullable AccessMode mode(MethodInsnNode access) {
        return MODES.get(access.name);
    }

    /** The mode of a fence. */
    public static @Nullable Mode fence(MethodInsnNode fence) {
        return FENCES.get(fence.name);
    }
}
