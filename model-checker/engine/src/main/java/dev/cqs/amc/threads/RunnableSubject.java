package dev.cqs.amc.threads;

import dev.cqs.amc.check.Subject;

/** A subject that can run the code of its threads. */
public interface RunnableSubject extends Subject {

    /** Runs the code of a thread from its beginning. */
    void run(ThreadRun thread) throws Throwable;
}
