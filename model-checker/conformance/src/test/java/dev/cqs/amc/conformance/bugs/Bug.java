package dev.cqs.amc.conformance.bugs;

import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * A known bug of concurrent code.
 *
 * @param sentence what is wrong
 * @param wrong the scenario that has it
 * @param verdict how it shows
 * @param hidden the models under which it does not show
 * @param repaired the same scenario without it
 */
record Bug(String sentence, Class<?> wrong, Verdict verdict, List<Model> hidden, Class<?> repaired) {

    /** A bug that shows under every model. */
    static Bug everywhere(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(), repaired);
    }

    /** A bug that shows where a write may be delayed behind later reads of its thread. */
    static Bug withDelayedWrites(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(Model.SC), repaired);
    }

    /** A bug that shows where the writes of a thread may be seen in another order. */
    static Bug underWeakMemory(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(Model.SC, Model.TSO), repaired);
    }

    @Override
    public String toString() {
        return sentence;
    }
}
