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

/** What all reports say in words. */
final class Sentences {

    private final CounterExample example;
    private final Explanation explanation;

    Sentences(CounterExample example) {
        this.example = example;
        explanation = example.explanation();
    }

    /** What was found, where and how far was looked. */
    String title() {
        return example.verdict().words() + " in " + example.program() + " under " + example.model();
    }

    /** How far was looked. */
    String bounds() {
        return "Model: " + example.model().title() + ". Loops with effects are repeated " + example.loopBound()
                + " times at most.";
    }

    /** What stands in the column of the thread for this step. */
    static String cell(Step step) {
        String sources = step.sources().isEmpty()
                ? ""
                : step.sources().stream().map(source -> "#" + source).collect(Collectors.joining(", ", " ← ", ""));
        return "#" + step.number() + (step.guilty() ? "! " : " ") + step.operation() + sources;
    }

    /** Which models have the execution, and why it is none of sequential consistency if so. */
    List<String> models() {
        List<String> sentences = new ArrayList<>();
        if (explanation.isOrdinary()) {
            sentences.add(
                    "This is also possible under sequential consistency: an ordinary schedule, in which the steps happen as they"
                            + " are listed.");
        } else if (explanation.cycle().isEmpty()) {
            sentences.add(
                    "Not possible under sequential consistency; the execution is too long to look for the cycle that is in the way.");
        } else {
            sentences.add(
                    "Not possible under sequential consistency, one step at a time: each of these steps would come before the next,"
                            + " in a circle: " + chain() + ".");
        }
        sentences.add(shownBy());
        if (example.verdict() == Verdict.DATA_RACE && explanation.models().contains(Model.SC)) {
            sentences.add(
                    "What happens before what is the same in all of them, so a race is one whatever the machine does.");
        }
        if (explanation.models().contains(Model.RC11)
                && explanation.asked().contains(Model.JLS)
                && !explanation.models().contains(Model.JLS)) {
            sentences.add(
                    "The Java language specification rules it out: the program relies on the total order of volatiles that the JLS"
                            + " gives. Check it under JLS.");
        }
        return sentences;
    }

    private String shownBy() {
        List<Model> not = explanation.asked().stream()
                .filter(model -> !explanation.models().contains(model))
                .toList();
        return "This very execution is wrong under " + names(explanation.models())
                + (not.isEmpty() ? "." : ", but not under " + names(not) + ".");
    }

    private static String names(List<Model> models) {
        if (models.isEmpty()) {
            return "none of the models that were asked";
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

    /** What would repair it. */
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
