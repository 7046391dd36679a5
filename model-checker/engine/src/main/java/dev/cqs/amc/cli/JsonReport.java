package dev.cqs.amc.cli;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CutOff;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results for other programs: one JSON document on standard output. Names keep their meanings; later versions may add
 * names.
 *
 * <pre>
 * { "results": [...], "exitCode": n }     or, if nothing could be checked at all,     { "error": {...}, "exitCode": n }
 *
 * result         scenario   the class, as it was given        program       its simple name
 *                model      SC, TSO, RC11, RC11_GENMC, JLS    threads       how many
 *                verdict    a constant of Verdict             verified      true for VERIFIED alone
 *                complete, blocked, abandoned, inconsistent, largestGraph, boundHit, loopBound    as in Result
 *                cutOffs    list of { bound, limit, code, place (or null) }, as in CutOff
 *                seconds, executionsPerSecond                 blindSpot     what the model does not allow
 *                outcomes   list of { values, count }         sites         list of { key, where, mode }
 *                symmetric  the names of the two threads of symmetry reduction, or none
 *                notes      where the checker approximated the code, each in a sentence; mostly none
 *                counterExample    null, or { verdict, message, threads, steps, edges, writeOrders, reasons, cycle,
 *                                  models, repairs }
 * step           number, thread (its index), operation, sources (numbers of steps), place (or null), guilty
 * edge           order (po, rf, co, fr, sw, start, join), from, to (numbers of steps); those of the cycle, too
 * models         those under which the same execution is wrong
 * repair         changes, a list of { site (or null), place, mode }, and effect, a constant of CounterExample.Effect
 *
 * In place of a result, if there is none:     scenario, model, error
 * error          kind       a constant of Problem.Kind        message       a sentence
 * </pre>
 */
final class JsonReport implements Report {

    private static final double MILLIS_PER_SECOND = 1_000;

    private final PrintStream out;
    private final JsonWriter results = new JsonWriter();
    private @Nullable Problem failure;

    JsonReport(PrintStream out) {
        this.out = out;
        results.beginObject().name("results").beginArray();
    }

    @Override
    public void result(String scenario, Result result, Duration time) {
        double seconds = Math.max(1, time.toMillis()) / MILLIS_PER_SECOND;
        results.beginObject();
        results.name("scenario").value(scenario).name("program").value(result.program());
        results.name("model").value(result.model().name()).name("threads").value(result.threads());
        results.name("verdict").value(result.verdict().name()).name("verified").value(result.isVerified());
        results.name("complete").value(result.complete()).name("blocked").value(result.blocked());
        results.name("abandoned").value(result.abandoned()).name("inconsistent").value(result.inconsistent());
        results.name("boundHit").value(result.boundHit()).name("loopBound").value(result.loopBound());
        cutOffs(result.cutOffs());
        results.name("largestGraph").value(result.largestGraph());
        results.name("seconds").value(seconds);
        results.name("executionsPerSecond").value(Math.round((result.complete() + result.blocked()) / seconds));
        results.name("blindSpot").value(result.model().blindSpot());
        outcomes(result.outcomes());
        sites(result.sites());
        results.name("symmetric").beginArray();
        result.symmetric().forEach(results::value);
        results.endArray().name("notes").beginArray();
        result.notes().forEach(results::value);
        results.endArray();
        results.name("counterExample");
        if (result.counterExample() == null) {
            results.nullValue();
        } else {
            counterExample(result.counterExample());
        }
        results.endObject();
    }

    private void cutOffs(List<CutOff> cutOffs) {
        results.name("cutOffs").beginArray();
        for (CutOff cutOff : cutOffs) {
            results.beginObject()
                    .name("bound")
                    .value(cutOff.bound().name())
                    .name("limit")
                    .value(cutOff.limit())
                    .name("code")
                    .value(cutOff.code());
            text("place", cutOff.place());
            results.endObject();
        }
        results.endArray();
    }

    private void outcomes(Map<List<Long>, Long> outcomes) {
        results.name("outcomes").beginArray();
        outcomes.forEach((values, count) -> {
            results.beginObject().name("values").beginArray();
            values.forEach(results::value);
            results.endArray().name("count").value(count).endObject();
        });
        results.endArray();
    }

    private void sites(List<AccessSite> sites) {
        results.name("sites").beginArray();
        for (AccessSite site : sites) {
            results.beginObject()
                    .name("key")
                    .value(site.key())
                    .name("where")
                    .value(site.where())
                    .name("mode")
                    .value(site.mode().name())
                    .endObject();
        }
        results.endArray();
    }

    private void counterExample(CounterExample example) {
        results.beginObject()
                .name("verdict")
                .value(example.verdict().name())
                .name("message")
                .value(example.message());
        results.name("threads").beginArray();
        example.threads().forEach(results::value);
        results.endArray().name("steps").beginArray();
        example.steps().forEach(this::step);
        results.endArray();
        edges("edges", example.edges());
        results.name("writeOrders").beginArray();
        example.writeOrders().forEach(results::value);
        results.endArray();
        explanation(example.explanation());
        results.endObject();
    }

    private void step(CounterExample.Step step) {
        results.beginObject()
                .name("number")
                .value(step.number())
                .name("thread")
                .value(step.thread())
                .name("operation")
                .value(step.operation())
                .name("sources")
                .beginArray();
        step.sources().forEach(results::value);
        results.endArray();
        text("place", step.place());
        results.name("guilty").value(step.guilty()).endObject();
    }

    private void edges(String name, List<CounterExample.Edge> edges) {
        results.name(name).beginArray();
        for (CounterExample.Edge edge : edges) {
            results.beginObject()
                    .name("order")
                    .value(edge.order().sign())
                    .name("from")
                    .value(edge.from())
                    .name("to")
                    .value(edge.to())
                    .endObject();
        }
        results.endArray();
    }

    private void explanation(CounterExample.Explanation explanation) {
        results.name("reasons").beginArray();
        explanation.reasons().forEach(results::value);
        results.endArray();
        edges("cycle", explanation.cycle());
        results.name("models").beginArray();
        explanation.models().forEach(model -> results.value(model.name()));
        results.endArray().name("repairs").beginArray();
        for (CounterExample.Repair repair : explanation.repairs()) {
            results.beginObject().name("changes").beginArray();
            for (CounterExample.Change change : repair.changes()) {
                results.beginObject();
                text("site", change.site());
                results.name("place")
                        .value(change.place())
                        .name("mode")
                        .value(change.mode().name())
                        .endObject();
            }
            results.endArray().name("effect").value(repair.effect().name()).endObject();
        }
        results.endArray();
    }

    private void text(String name, @Nullable String text) {
        results.name(name);
        if (text == null) {
            results.nullValue();
        } else {
            results.value(text);
        }
    }

    @Override
    public void problem(String scenario, Model model, Problem problem) {
        results.beginObject().name("scenario").value(scenario).name("model").value(model.name());
        error(results, problem);
        results.endObject();
    }

    @SuppressWarnings("NullAway") // a problem has a message
    private static void error(JsonWriter writer, Problem problem) {
        writer.name("error")
                .beginObject()
                .name("kind")
                .value(problem.kind().name())
                .name("message")
                .value(problem.getMessage())
                .endObject();
    }

    @Override
    public void problem(Problem problem) {
        failure = problem;
    }

    @Override
    public void end(ExitCode code) {
        JsonWriter document = results.endArray();
        if (failure != null) {
            document = new JsonWriter().beginObject();
            error(document, failure);
        }
        out.println(document.name("exitCode").value(code.code()).endObject());
        out.flush();
    }
}
