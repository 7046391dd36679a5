package dev.cqs.amc.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the outcomes of executions. */
final class Outcomes {

    private final Map<List<Long>, Long> counts = new TreeMap<>(Outcomes::compare);
    /** The values of the present execution. */
    private final List<Long> present = new ArrayList<>();

    /** Forgets all. */
    void clear() {
        counts.clear();
        present.clear();
    }

    /** Another execution has no values yet. */
    void begin() {
        present.clear();
    }

    void add(long value) {
        present.add(value);
    }

    void add(List<Long> values) {
        present.addAll(values);
    }

    /** The values of the present execution so far. */
    List<Long> present() {
        return present;
    }

    /** The present execution has no more values. */
    void count() {
        counts.merge(counts.containsKey(present) ? present : List.copyOf(present), 1L, Long::sum);
    }

    /** How often each outcome has been counted. */
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
