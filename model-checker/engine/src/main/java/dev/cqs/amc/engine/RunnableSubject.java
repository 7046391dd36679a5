package dev.cqs.amc.engine;

/** A subject whose threads can be run. */
public interface RunnableSubject extends Subject {

    /** Runs the code of a thread from its beginning. */
    void run(ThreadRun thread) throws Throwable;
}
