package dev.cqs.amc.search;

import dev.cqs.amc.Model;
import dev.cqs.amc.check.Options;

/** The options of the engine's tests. */
final class Unbounded {

    private Unbounded() {}

    static Options options(Model model) {
        return new Options(model, 3, 1_000, Long.MAX_VALUE);
    }
}
