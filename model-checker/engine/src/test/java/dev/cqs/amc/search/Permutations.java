package dev.cqs.amc.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Permutations of threads. */
final class Permutations {

    private Permutations() {}

    static List<Integer> random(Random random, int size) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return order;
    }
}
