package dev.cqs.amc.check;

import dev.cqs.amc.FinalState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an exploration explores: threads, whose code runs again and again, and the locations they share. Everything has
 * a number. Locations may turn up while the threads run. How the code of a thread is run is said by {@link dev.cqs.amc.threads.RunnableSubject}.
 */
public interface Subject {

    /** When a thread starts. */
    enum Start {
        /** It is there from the beginning. */
        AT_ONCE,
        /** When another thread creates it. */
        WHEN_CREATED,
        /** When all other threads have ended; it sees all they have done. */
        AT_END
    }

    /** What the reports call it. */
    String name();

    /** What tells it from others. */
    default String identity() {
        return name();
    }

    /** How the user has the program be checked, by the names of {@link dev.cqs.amc.replay.RecordedOptions}. */
    default Map<String, List<String>> settings() {
        return Map.of();
    }

    /** How many threads there can be. */
    int threads();

    /** How many threads there have been, the arbiter not counted. */
    default int counted() {
        return threads();
    }

    /** When this thread starts. */
    default Start start(int thread) {
        return Start.AT_ONCE;
    }

    /** A thread with the same code as the one before it, which may be explored together; -1 if there is none. See {@link dev.cqs.amc.dpor.SymmetryReduction}. */
    default int follower() {
        return -1;
    }

    /** What the reports call a thread. */
    String threadName(int thread);

    /** What the reports call a location. */
    String locationName(int location);

    /** The value of a location before the threads start. */
    long initial(int location);

    /** A value of a location, for the reports. */
    default String valueName(int location, long value) {
        return Long.toString(value);
    }

    /** Where in the source a site is, for the reports; null if that is unknown. */
    default @Nullable String placeName(int site) {
        return null;
    }

    /** The method that a site is in; null if that is unknown. */
    default @Nullable String codeName(int site) {
        return null;
    }

    /**
     * Whether what a thread gets from a location may be the same number in two executions, and yet not the same thing. It may
     * become true, before there is a second thing, and is true from then on.
     */
    default boolean hidesContent(int location) {
        return false;
    }

    /**
     * The object that a location is part of, if its maker leaves its accesses out of the graph as long as no other thread can
     * know the object; otherwise -1. See {@link dev.cqs.amc.dpor.FreshObjects}.
     */
    default int collapsed(int location) {
        return -1;
    }

    /** Has the makers of objects of this kind leave no accesses out of the graph, from the next execution on. */
    default void expand(int object) {}

    /** The kinds of objects that {@link #expand} was called with, by names that are the same in another check. */
    default List<String> expanded() {
        return List.of();
    }

    /** Has the makers of objects of the kind with this name leave no accesses out of the graph. */
    default void expand(String kind) {}

    /** Whether it is told which references the threads get through final fields. See {@link dev.cqs.amc.dpor.Freezes}. */
    default boolean watchesFreezes() {
        return false;
    }

    /** The object that a location is part of, if a thread has made it; otherwise -1. */
    default int holder(int location) {
        return -1;
    }

    /** The object that a thread gets with this value of a location, if another thread has made it; otherwise -1. */
    default int referent(int thread, int location, long value) {
        return -1;
    }

    /** Whether an object can be covered. */
    default boolean isCovered(int object) {
        return true;
    }

    /** Has no object of this kind be covered, from the next execution on. */
    default void uncover(int object) {}

    /** What the user calls a site to have it be stronger; null if sites have no names. */
    default @Nullable String siteKey(int site) {
        return null;
    }

    /** Whether the user cannot have the accesses of a site be stronger: they stand for something else. */
    default boolean isFixed(int site) {
        return false;
    }

    /** Tells which thread the {@code count}-th one, from 0 on, that {@code creator} starts is to be. */
    default void expectThread(int creator, int count, int thread) {}

    /** Whether a site is in a loop that does nothing but read. */
    default boolean spins(int site) {
        return false;
    }

    /** All threads will be run from their beginnings, as often as they like, in one execution. */
    default void begin() {}

    /** The locations whose final values are part of the outcome. */
    default int[] observed() {
        return new int[0];
    }

    /** Checks the end of an execution that is complete. */
    default void checkEnd(FinalState end) {}
}
