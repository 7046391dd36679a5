package dev.cqs.amc.threads;

import dev.cqs.amc.check.Subject;

/** A subject whose threads can be run. */
public interface RunnableSubject extends Subject {

    /** Runs the code of a thread from its beginning. */
    void run(ThreadRun thread) throws Throwable;
}
