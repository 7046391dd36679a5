package dev.cqs.amc.report;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Edge;
import dev.cqs.amc.CounterExample.Explanation;
import dev.cqs.amc.CounterExample.Repair;
import dev.cqs.amc.CounterExample.Step;
import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The sentences that all renderings share. */
final class Sentences {

    private final CounterExample example;
    private final Explanation explanation;

    Sentences(CounterExample example) {
        this.example = example;
        explanation = example.explanation();
    }

    /** The verdict, the program and the model. */
    String title() {
        return example.verdict().words() + " in " + example.program() + " under " + example.model();
    }

    /** The model and the loop bound. */
    String bounds() {
        return "Model: " + example.model().title() + ". Loops with side effects are repeated " + example.loopBound()
                + " times at most.";
    }

    /** The text of a step in its thread's column. */
    static String cell(Step step) {
        String sources = step.sources().isEmpty()
                ? ""
                : step.sources().stream().map(source -> "#" + source).collect(Collectors.joining(", ", " ← ", ""));
        return "#" + step.number() + (step.guilty() ? "! " : " ") + step.operation() + sources;
    }

    /** Under which models the execution is wrong, and the cycle if it is not sequentially consistent. */
    List<String> models() {
        List<String> sentences = new ArrayList<>();
        if (explanation.isOrdinary()) {
            sentences.add(
                    "This execution is also sequentially consistent: an interleaving, in the order in which the steps"
                            + " are listed.");
        } else if (explanation.cycle().isEmpty()) {
            sentences.add(
                    "This execution is not sequentially consistent; it is too long to search for the cycle that forbids it.");
        } else {
            sentences.add(
                    "This execution is not sequentially consistent: each of these steps would have to come before the next,"
                            + " in a cycle: " + chain() + ".");
        }
        sentences.add(shownBy());
        if (example.verdict() == Verdict.DATA_RACE && explanation.models().contains(Model.SC)) {
            sentences.add("Happens-before is the same in all models, so a data race is one under each of them.");
        }
        if (explanation.models().contains(Model.RC11)
                && explanation.asked().contains(Model.JLS)
                && !explanation.models().contains(Model.JLS)) {
            sentences.add(
                    "The Java language specification forbids it: the program relies on the total order of volatile accesses of the"
                            + " JLS. Check it under JLS.");
        }
        return sentences;
    }

    private String shownBy() {
        List<Model> not = explanation.asked().stream()
                .filter(model -> !explanation.models().contains(model))
                .toList();
        return "The same execution is wrong under " + names(explanation.models())
                + (not.isEmpty() ? "." : ", but not under " + names(not) + ".");
    }

    private static String names(List<Model> models) {
        if (models.isEmpty()) {
            return "none of the models that were tried";
        }
        return listed(models.stream().map(Model::name).toList());
    }

    private static String listed(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    private String chain() {
        StringBuilder chain =
                new StringBuilder("#").append(explanation.cycle().get(0).from());
        for (Edge edge : explanation.cycle()) {
            chain.append(" →").append(edge.order().sign()).append(" #").append(edge.to());
        }
        return chain.toString();
    }

    /** The repairs, and what is known of each. */
    List<String> repairs() {
        List<String> sentences = new ArrayList<>();
        for (Repair repair : explanation.repairs()) {
            sentences.add("Making "
                    + listed(repair.changes().stream()
                            .map(CounterExample.Change::words)
                            .toList()) + " " + repair.effect().words() + ".");
        }
        sentences.addAll(explanation.advice());
        return sentences;
    }
}
