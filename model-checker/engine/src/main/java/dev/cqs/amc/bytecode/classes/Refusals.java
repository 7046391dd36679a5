package dev.cqs.amc.bytecode.classes;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls that the checker cannot follow, with the messages for them. */
public final class Refusals {

    private static final String CHANCE = " depends on chance. Use Execution.choose instead.";
    private static final String THREADS = " starts threads that cannot be checked. Use actors or Thread.start instead.";
    private static final String MEMORY = " reaches memory past the checker. Use a VarHandle instead.";
    private static final String PAST_FIELDS =
            " reads and writes fields past the checker. Leave it out of what is checked.";
    private static final String TIME =
            " depends on the time of day. Use System.nanoTime or System.currentTimeMillis instead.";
    private static final String TIMED =
            " waits past the checker. Use Object.wait or Thread.join with a time limit instead.";
    private static final String WAITS =
            " waits past the checker. Use wait and notify or LockSupport, or check a class of your own.";
    private static final String UNSEEN =
            " makes calls that the checker cannot follow. Call the method by its name instead.";
    private static final String UNKNOWN = " loads classes that cannot be followed. Make the objects with new instead.";
    private static final String GLOBAL =
            " has effects on the whole virtual machine, which the checker cannot follow. Leave it out of what"
                    + " is checked.";
    private static final String IDENTITY = " compares references past the checker. Use a map that compares by equals.";
    private static final String COLLECTOR = " depends on the garbage collector. Leave it out of what is checked.";
    private static final String OUTSIDE = " has effects outside of the program. Leave it out of what is checked.";

    private static final String HELD =
            " binds an object to a handle, which the checker cannot follow. Use a lambda instead.";
    private static final String UNKNOWN_CLASSES =
            " makes a class that is not instrumented. Leave it out of what is checked.";

    private static final String CONCURRENT = "java/util/concurrent/";

    /** Classes all of whose methods are refused. */
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
            Map.entry("java/lang/ref/Cleaner", THREADS),
            Map.entry("java/lang/ProcessBuilder", OUTSIDE),
            Map.entry("java/io/File", OUTSIDE),
            Map.entry("java/io/FileInputStream", OUTSIDE),
            Map.entry("java/io/FileOutputStream", OUTSIDE),
            Map.entry("java/io/FileReader", OUTSIDE),
            Map.entry("java/io/FileWriter", OUTSIDE),
            Map.entry("java/io/RandomAccessFile", OUTSIDE),
            Map.entry("java/util/ServiceLoader", UNKNOWN),
            Map.entry("java/io/ObjectOutputStream", PAST_FIELDS),
            Map.entry("java/io/ObjectInputStream", PAST_FIELDS));

    private static final Map<String, String> CALLS = Map.ofEntries(
            Map.entry("java/lang/Math.random", CHANCE),
            Map.entry("java/lang/StrictMath.random", CHANCE),
            Map.entry("java/util/concurrent/ThreadLocalRandom.current", CHANCE),
            Map.entry("java/util/UUID.randomUUID", CHANCE),
            Map.entry("java/util/Random.<init>()V", CHANCE),
            Map.entry("java/util/SplittableRandom.<init>()V", CHANCE),
            Map.entry("java/security/SecureRandom.<init>", CHANCE),
            Map.entry("java/util/IdentityHashMap.<init>", IDENTITY),
            Map.entry("java/util/WeakHashMap.<init>", COLLECTOR),
            Map.entry("java/lang/ref/WeakReference.<init>", COLLECTOR),
            Map.entry("java/lang/ref/SoftReference.<init>", COLLECTOR),
            Map.entry("java/util/Date.<init>()V", TIME),
            Map.entry("java/util/Calendar.getInstance", TIME),
            Map.entry("java/util/concurrent/TimeUnit.timedWait", TIMED),
            Map.entry("java/util/concurrent/TimeUnit.timedJoin", TIMED),
            Map.entry("java/util/concurrent/Future.get", WAITS),
            Map.entry("java/util/concurrent/FutureTask.<init>", WAITS),
            Map.entry("java/util/concurrent/CompletableFuture.get", WAITS),
            Map.entry("java/util/concurrent/CompletableFuture.join", WAITS),
            Map.entry("java/lang/reflect/Proxy.newProxyInstance", UNSEEN),
            Map.entry("java/util/Objects.deepEquals", MEMORY),
            Map.entry("java/lang/System.setProperty", GLOBAL),
            Map.entry("java/lang/System.clearProperty", GLOBAL),
            Map.entry("java/lang/System.getProperties", GLOBAL),
            Map.entry("java/lang/System.setProperties", GLOBAL),
            Map.entry("java/lang/System.setOut", GLOBAL),
            Map.entry("java/lang/System.setErr", GLOBAL),
            Map.entry("java/lang/System.setIn", GLOBAL),
            Map.entry("java/util/Locale.setDefault", GLOBAL),
            Map.entry("java/util/TimeZone.setDefault", GLOBAL),
            Map.entry("java/lang/System.gc", OUTSIDE),
            Map.entry("java/lang/System.exit", OUTSIDE),
            Map.entry("java/lang/Runtime.gc", OUTSIDE),
            Map.entry("java/lang/Runtime.exec", OUTSIDE),
            Map.entry("java/lang/Runtime.halt", OUTSIDE),
            Map.entry("java/lang/Runtime.exit", OUTSIDE),
            Map.entry("java/util/concurrent/ThreadPoolExecutor.<init>", THREADS),
            Map.entry("java/util/concurrent/ScheduledThreadPoolExecutor.<init>", THREADS));

    /** Methods that return handles through which memory can be accessed unobserved. */
    private static final Set<String> GIVING_ACCESS = Set.of(
            "java/lang/invoke/MethodHandles$Lookup.findGetter",
            "java/lang/invoke/MethodHandles$Lookup.findSetter",
            "java/lang/invoke/MethodHandles$Lookup.findStaticGetter",
            "java/lang/invoke/MethodHandles$Lookup.findStaticSetter",
            "java/lang/invoke/MethodHandles$Lookup.unreflectGetter",
            "java/lang/invoke/MethodHandles$Lookup.unreflectSetter",
            "java/lang/invoke/MethodHandles.arrayElementGetter",
            "java/lang/invoke/MethodHandles.arrayElementSetter",
            "java/lang/invoke/MethodHandles.varHandleInvoker",
            "java/lang/invoke/MethodHandles.varHandleExactInvoker",
            "java/lang/invoke/VarHandle.toMethodHandle");

    /** Methods that bind an object to a handle: threads could share the object through the handle unobserved. */
    private static final Set<String> HOLDING = Set.of(
            "java/lang/invoke/MethodHandle.bindTo",
            "java/lang/invoke/MethodHandles.insertArguments",
            "java/lang/invoke/MethodHandles.constant",
            "java/lang/invoke/MethodHandleProxies.asInterfaceInstance");
    /** Methods that define classes at run time, bypassing the instrumenting loader. */
    private static final Set<String> MAKING_CLASSES = Set.of(
            "java/lang/invoke/MethodHandles$Lookup.defineClass",
            "java/lang/invoke/MethodHandles$Lookup.defineHiddenClass",
            "java/lang/invoke/MethodHandles$Lookup.defineHiddenClassWithClassData");

    private static final List<String> OUTSIDE_PACKAGES = List.of(
            "java/nio/file/",
            "java/nio/channels/",
            "java/net/",
            "java/util/logging/",
            "java/util/prefs/",
            "java/lang/management/",
            "java/sql/",
            "javax/");

    /** Classes in which a thread can block forever, and the checker with it. */
    private static final Set<String> WAITING = Set.of(
            "Semaphore",
            "CountDownLatch",
            "CyclicBarrier",
            "Phaser",
            "Exchanger",
            "ArrayBlockingQueue",
            "LinkedBlockingQueue",
            "LinkedBlockingDeque",
            "PriorityBlockingQueue",
            "DelayQueue",
            "SynchronousQueue",
            "LinkedTransferQueue",
            "locks/ReentrantReadWriteLock",
            "locks/StampedLock");

    private static final Set<String> CLOCKS = Set.of("java/time/Clock", "java/time/InstantSource");

    private static final Set<String> ASYNCHRONOUS =
            Set.of("java/util/concurrent/CompletableFuture", "java/util/concurrent/CompletionStage");

    private final ClassShapes shapes;
    private final Scope scope;
    private final ForeignTypes foreign;

    public Refusals(ClassShapes shapes, Scope scope) {
        this.shapes = shapes;
        this.scope = scope;
        this.foreign = new ForeignTypes(shapes, scope);
    }

    /** Why the call is refused even during the set-up, or null. */
    public static @Nullable String reasonAlways(MethodInsnNode call) {
        String called = call.owner + "." + call.name;
        String reason = GIVING_ACCESS.contains(called)
                ? MEMORY
                : HOLDING.contains(called) ? HELD : MAKING_CLASSES.contains(called) ? UNKNOWN_CLASSES : null;
        return reason == null ? null : called.replace('/', '.').replace('$', '.') + reason;
    }

    /** Why the call is refused, or null. */
    public @Nullable String reason(MethodInsnNode call) {
        String called = call.owner.replace('/', '.') + "." + call.name;
        String reason = OWNERS.getOrDefault(call.owner, CALLS.get(call.owner + "." + call.name));
        if (reason == null) {
            reason = CALLS.get(call.owner + "." + call.name + call.desc);
        }
        boolean isNow = call.owner.startsWith("java/time/") && call.name.equals("now");
        boolean isClock =
                CLOCKS.contains(call.owner) && (call.name.startsWith("system") || call.name.startsWith("tick"));
        if (reason == null && (isNow || isClock)) {
            reason = TIME;
        }
        if (reason == null && OUTSIDE_PACKAGES.stream().anyMatch(call.owner::startsWith)) {
            reason = OUTSIDE;
        }
        boolean isParallel = call.name.equals("parallelStream")
                || call.owner.startsWith("java/util/stream/") && call.name.equals("parallel");
        if (reason == null && isParallel) {
            reason = THREADS;
        }
        if (reason == null
                && call.name.equals("<init>")
                && call.owner.startsWith(CONCURRENT)
                && WAITING.contains(call.owner.substring(CONCURRENT.length()))) {
            reason = WAITS;
        }
        if (reason != null) {
            return called.replace(".<init>", "") + reason;
        }
        if (foreign.hasStaticState(call.owner) || foreign.inheritsStaticState(call.owner, call.name, call.desc)) {
            return called
                    + " is called, and its class has static fields that the checker cannot follow, because it is not instrumented."
                    + " " + Refusal.instrument(call.owner.replace('/', '.')) + ".";
        }
        if (ASYNCHRONOUS.contains(call.owner) && call.name.contains("Async")) {
            return called + THREADS;
        }
        if (call.owner.equals("java/lang/reflect/Field") && (isWord(call.name, "get") || isWord(call.name, "set"))) {
            return called + MEMORY;
        }
        if (scope.coversInternal(call.owner) && isNative(call)) {
            return called + " is native, and cannot be followed. Leave it out of what is checked.";
        }
        return null;
    }

    /** Whether it is an accessor of a value, such as get and getInt, and not of metadata, such as getName. */
    private static boolean isWord(String name, String word) {
        Set<String> types = Set.of("", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double");
        return name.startsWith(word) && types.contains(name.substring(word.length()));
    }

    private boolean isNative(MethodInsnNode call) {
        Integer access = shapes.method(call.owner, call.name, call.desc);
        if (access == null || (access & Opcodes.ACC_NATIVE) == 0) {
            return false;
        }
        // The native methods of Object are handled one by one.
        return shapes.method("java/lang/Object", call.name, call.desc) == null;
    }
}
