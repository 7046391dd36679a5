package dev.cqs.amc.bytecode;

import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Calls that the checker can not follow, and what to say of them. */
final class Refusals {

    private static final String CHANCE = " depends on chance. Use Execution.choose instead.";
    private static final String THREADS = " starts threads that can not be checked. Use actors or Thread.start instead.";
    private static final String MEMORY = " reaches memory past the checker. Use a VarHandle instead.";
    private static final String OUTSIDE = " has effects outside of the program. Leave it out of what is checked.";

    /** Whatever is called there. */
    private static final Map<String, String> OWNERS = Map.ofEntries(
            Map.entry("sun/misc/Unsafe", MEMORY),
            Map.entry("jdk/internal/misc/Unsafe", MEMORY),
            Map.entry("java/lang/reflect/Array", MEMORY),
            Map.entry("java/util/concurrent/Executors", THREADS),
            Map.entry("java/util/concurrent/ForkJoinPool", THREADS),
            Map.entry("java/util/Timer", THREADS),
            Map.entry("java/lang/Thread$Builder", THREADS),
            Map.entry("java/lang/Thread$Builder$OfPlatform", THREADS),
            Map.entry("java/lang/Thread$Builder$OfVirtual", THREADS),
            Map.entry("java/lang/ProcessBuilder", OUTSIDE));

    private static final Map<String, String> CALLS = Map.ofEntries(
            Map.entry("java/lang/Math.random", CHANCE),
            Map.entry("java/lang/StrictMath.random", CHANCE),
            Map.entry("java/util/concurrent/ThreadLocalRandom.current", CHANCE),
            Map.entry("java/util/UUID.randomUUID", CHANCE),
            Map.entry("java/util/Random.<init>", CHANCE),
            Map.entry("java/util/SplittableRandom.<init>", CHANCE),
            Map.entry("java/security/SecureRandom.<init>", CHANCE),
            Map.entry("java/lang/System.gc", OUTSIDE),
            Map.entry("java/lang/System.exit", OUTSIDE),
            Map.entry("java/lang/Runtime.gc", OUTSIDE),
            Map.entry("java/lang/Runtime.exec", OUTSIDE),
            Map.entry("java/lang/Runtime.halt", OUTSIDE),
            Map.entry("java/lang/Runtime.exit", OUTSIDE),
            Map.entry("java/util/concurrent/ThreadPoolExecutor.<init>", THREADS),
            Map.entry("java/util/concurrent/ScheduledThreadPoolExecutor.<init>", THREADS));

    private static final Set<String> ASYNCHRONOUS =
            Set.of("java/util/concurrent/CompletableFuture", "java/util/concurrent/CompletionStage");

    private final ClassShapes shapes;
    private final Scope scope;

    Refusals(ClassShapes shapes, Scope scope) {
        this.shapes = shapes;
        this.scope = scope;
    }

    /** What is wrong with the call, or null. */
    String reason(MethodInsnNode call) {
        String called = call.owner.replace('/', '.') + "." + call.name;
        String reason = OWNERS.getOrDefault(call.owner, CALLS.get(call.owner + "." + call.name));
        if (reason != null) {
            return called + reason;
        }
        if (ASYNCHRONOUS.contains(call.owner) && call.name.contains("Async")) {
            return called + THREADS;
        }
        if (call.owner.equals("java/lang/reflect/Field") && (isWord(call.name, "get") || isWord(call.name, "set"))) {
            return called + MEMORY;
        }
        if (scope.coversInternal(call.owner) && isNative(call)) {
            return called + " is native, and can not be followed. Leave it out of what is checked.";
        }
        return null;
    }

    /** The accessors of values, such as get and getInt, and not those of facts, such as getName. */
    private static boolean isWord(String name, String word) {
        Set<String> types = Set.of("", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double");
        return name.startsWith(word) && types.contains(name.substring(word.length()));
    }

    private boolean isNative(MethodInsnNode call) {
        Integer access = shapes.method(call.owner, call.name, call.desc);
        if (access == null || (access & Opcodes.ACC_NATIVE) == 0) {
            return false;
        }
        // Those of Object are dealt with one by one.
        return shapes.method("java/lang/Object", call.name, call.desc) == null;
    }
}
