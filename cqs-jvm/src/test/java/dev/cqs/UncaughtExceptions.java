package dev.cqs;

import java.util.ArrayList;
import java.util.List;

/** Collects what the current thread reports to its uncaught-exception handler, until it is closed. */
public final class UncaughtExceptions implements AutoCloseable {
    public final List<Throwable> seen = new ArrayList<>();
    private final Thread thread = Thread.currentThread();
    private final Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();

    public UncaughtExceptions() {
        thread.setUncaughtExceptionHandler((where, thrown) -> seen.add(thrown));
    }

    @Override
    public void close() {
        thread.setUncaughtExceptionHandler(before);
    }
}
