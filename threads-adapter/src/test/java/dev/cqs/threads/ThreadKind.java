package dev.cqs.threads;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Platform and virtual threads, as a parameter of tests. Virtual threads are found at run time, since Java 17 has none. */
enum ThreadKind {
    PLATFORM {
        @Override
        Thread make(Runnable body) {
            Thread thread = new Thread(body);
            thread.setDaemon(true); // a failed test may leave it waiting
            return thread;
        }
    },
    VIRTUAL {
        @Override
        Thread make(Runnable body) {
            try {
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                Method unstarted = Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
                return (Thread) unstarted.invoke(builder, body);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    };

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final AtomicInteger started = new AtomicInteger();

    abstract Thread make(Runnable body);

    /** Starts a thread of this kind, with a name. */
    final Thread start(Runnable body) {
        Thread thread = make(body);
        thread.setName(name().toLowerCase() + "-" + NUMBER.incrementAndGet());
        thread.start();
        started.incrementAndGet();
        return thread;
    }

    /** The number of threads of this kind that were started so far. */
    final int started() {
        return started.get();
    }

    /** The kinds that this version of Java has. */
    static List<ThreadKind> available() {
        return Runtime.version().feature() >= 21 ? List.of(values()) : List.of(PLATFORM);
    }
}
