package dev.cqs.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** The kinds of threads that the running JDK has. Virtual threads are found by reflection, since JDK 17 has none. */
final class ThreadKinds {
    /** Small, so that many threads fit. The JVM rounds it up if it needs more. */
    private static final long STACK_BYTES = 128 * 1024;

    private ThreadKinds() {}

    /** A kind of thread. All its threads are daemons. */
    record Kind(String name, boolean virtual, ThreadFactory factory) {}

    /** Platform threads, and virtual threads if the JDK has them. */
    static List<Kind> present() {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind("platform", false, ThreadKinds::platform));
        ThreadFactory virtual = virtual();
        if (virtual != null) {
            kinds.add(new Kind("virtual", true, virtual));
        }
        return kinds;
    }

    private static Thread platform(Runnable task) {
        Thread thread = new Thread(null, task, "demo", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    /** {@code Thread.ofVirtual().factory()}, or null where that does not exist or is still a preview. */
    private static ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException absent) {
            return null;
        }
    }
}
