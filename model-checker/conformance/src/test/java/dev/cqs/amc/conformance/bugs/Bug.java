package dev.cqs.amc.conformance.bugs;

import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * A known bug of concurrent code.
 *
 * @param sentence the bug, in a sentence
 * @param wrong the scenario with the bug
 * @param verdict the verdict that reveals it
 * @param hidden the models under which it is not revealed
 * @param repaired the same scenario without the bug
 */
record Bug(String sentence, Class<?> wrong, Verdict verdict, List<Model> hidden, Class<?> repaired) {

    /** A bug that every model reveals. */
    static Bug everywhere(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(), repaired);
    }

    /** A bug that all models except SC reveal: a write takes effect after later reads of its thread. */
    static Bug withDelayedWrites(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(Model.SC), repaired);
    }

    /** A bug that all models except SC and TSO reveal: the writes of a thread are read out of order. */
    static Bug underWeakMemory(String sentence, Class<?> wrong, Verdict verdict, Class<?> repaired) {
        return new Bug(sentence, wrong, verdict, List.of(Model.SC, Model.TSO), repaired);
    }

    @Override
    public String toString() {
        return sentence;
    }
}
