package dev.cqs.amc.check;

import dev.cqs.amc.FinalState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program under exploration: threads, whose code runs again and again, and the locations that they share, both
 * identified by numbers. New locations may appear while the threads run. {@link dev.cqs.amc.threads.RunnableSubject}
 * adds how to run the code of a thread.
 */
public interface Subject {

    /** When a thread starts. */
    enum Start {
        /** From the beginning. */
        AT_ONCE,
        /** When another thread creates it. */
        WHEN_CREATED,
        /** When all other threads have ended, which happens before it. Only the arbiter starts so. */
        AT_END
    }

    /** The name of the subject, for reports. */
    String name();

    /** Identifies the subject in recordings. */
    default String identity() {
        return name();
    }

    /** The user's settings for the check, by the names of {@link dev.cqs.amc.replay.RecordedOptions}. */
    default Map<String, List<String>> settings() {
        return Map.of();
    }

    /** The maximum number of threads. */
    int threads();

    /** The number of threads so far, without the arbiter. */
    default int counted() {
        return threads();
    }

    /** When this thread starts. */
    default Start start(int thread) {
        return Start.AT_ONCE;
    }

    /**
     * A thread that is symmetric to the thread with the number before it; -1 if there is none. See
     * {@link dev.cqs.amc.dpor.SymmetryReduction}.
     */
    default int follower() {
        return -1;
    }

    /** The name of a thread, for reports. */
    String threadName(int thread);

    /** The name of a location, for reports. */
    String locationName(int location);

    /** The value of a location before the threads start. */
    long initial(int location);

    /** A value of a location, for the reports. */
    default String valueName(int location, long value) {
        return Long.toString(value);
    }

    /** The file and line of a site, for reports; null if unknown. */
    default @Nullable String placeName(int site) {
        return null;
    }

    /** The method of a site; null if unknown. */
    default @Nullable String codeName(int site) {
        return null;
    }

    /**
     * Whether a value read from a location may stand for objects with different contents in two executions: the
     * contents, such as final fields, are not in the graph. Once true it stays true, and it becomes true before the
     * second object appears.
     */
    default boolean hidesContent(int location) {
        return false;
    }

    /**
     * The object that a location belongs to, if accesses to it are left out of the graph until the object escapes the
     * thread that made it; otherwise -1. See {@link dev.cqs.amc.dpor.FreshObjects}.
     */
    default int collapsed(int location) {
        return -1;
    }

    /** Puts all accesses to objects of this kind into the graph, from the next execution on. */
    default void expand(int object) {}

    /** The kinds of objects that {@link #expand} was called with, by names that are stable between checks. */
    default List<String> expanded() {
        return List.of();
    }

    /** Puts all accesses to objects of the kind with this name into the graph. */
    default void expand(String kind) {}

    /**
     * Whether threads report the references that they get through final fields. See {@link dev.cqs.amc.dpor.Freezes}.
     */
    default boolean watchesFreezes() {
        return false;
    }

    /** The object that a location belongs to, if a thread made it; otherwise -1. */
    default int holder(int location) {
        return -1;
    }

    /**
     * The object that this value of a location refers to, if another thread than {@code thread} made it; otherwise -1.
     */
    default int referent(int thread, int location, long value) {
        return -1;
    }

    /**
     * Whether final-field semantics may order accesses to an object: see the covers of
     * {@link dev.cqs.amc.dpor.Freezes}.
     */
    default boolean isCovered(int object) {
        return true;
    }

    /** Ends covers for objects of this kind, from the next execution on. */
    default void uncover(int object) {}

    /** The {@link dev.cqs.amc.AccessSite#key} of a site; null if sites have no keys. */
    default @Nullable String siteKey(int site) {
        return null;
    }

    /**
     * Whether the user cannot strengthen the accesses of a site, because they model something else, such as a monitor.
     */
    default boolean isFixed(int site) {
        return false;
    }

    /** Gives the number {@code thread} to the {@code count}-th thread, from 0 on, that {@code creator} starts. */
    default void expectThread(int creator, int count, int thread) {}

    /** Whether a site is in a loop that does nothing but read. */
    default boolean spins(int site) {
        return false;
    }

    /** An execution begins. In it the code of each thread runs from its beginning any number of times. */
    default void begin() {}

    /** The locations whose final values are part of the outcome. */
    default int[] observed() {
        return new int[0];
    }

    /** Checks the final state of a complete execution. */
    default void checkEnd(FinalState end) {}
}
