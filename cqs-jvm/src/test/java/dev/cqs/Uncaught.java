package dev.cqs;

import java.util.ArrayList;
import java.util.List;

/** Collects what goes to the uncaught-exception handler of the current thread while it is open. */
public final class Uncaught implements AutoCloseable {
    public final List<Throwable> seen = new ArrayList<>();
    private final Thread thread = Thread.currentThread();
    private final Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();

    public Uncaught() {
        thread.setUncaughtExceptionHandler((where, thrown) -> seen.add(thrown));
    }

    @Override
    public void close() {
        thread.setUncaughtExceptionHandler(before);
    }
}
