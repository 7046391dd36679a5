package dev.cqs.amc.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the outcomes of executions. */
final class Outcomes {

    private final Map<List<Long>, Long> counts = new TreeMap<>(Outcomes::compare);
    /** The values of the current execution. */
    private final List<Long> present = new ArrayList<>();

    /** Drops all counts. */
    void clear() {
        counts.clear();
        present.clear();
    }

    /** Another execution begins. */
    void begin() {
        present.clear();
    }

    void add(long value) {
        present.add(value);
    }

    void add(List<Long> values) {
        present.addAll(values);
    }

    /** The values of the current execution so far. */
    List<Long> present() {
        return present;
    }

    /** Counts the outcome of the current execution, which is complete. */
    void count() {
        counts.merge(counts.containsKey(present) ? present : List.copyOf(present), 1L, Long::sum);
    }

    /** The number of executions per outcome. */
    Map<List<Long>, Long> counts() {
        return Collections.unmodifiableMap(counts);
    }

    private static int compare(List<Long> one, List<Long> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Long.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }
}
