package dev.cqs.amc.conformance.examples;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;

/** Two threads count together, and one of them may not be counted. */
public class Increments {

    private volatile int count;

    @Actor(2)
    void increment() {
        count++;
    }

    @Arbiter
    int total() {
        return count;
    }
}
