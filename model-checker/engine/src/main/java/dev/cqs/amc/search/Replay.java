package dev.cqs.amc.search;

import dev.cqs.amc.Model;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Result;
import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.replay.ConsistencyRecheck;
import dev.cqs.amc.replay.Recording;
import java.util.HashMap;
import java.util.Map;

/** Has an explorer run a recorded execution, and compares the two. */
final class Replay {

    private final Explorer explorer;
    private final Subject subject;
    private final Model model;
    private final Recording recording;

    Replay(Explorer explorer, Recording recording) {
        this.explorer = explorer;
        this.recording = recording;
        subject = explorer.subject();
        model = explorer.options().model();
    }

    /** Runs the execution. Returns the result that the search would have. */
    Result run() {
        checkHeader();
        expectThreads();
        recording.expanded.forEach(subject::expand);
        explorer.begin(recording);
        recording.turns().forEach(explorer::run);
        checkGraph(explorer.graph());
        Failure failure = explorer.judge(
                recording.guilty.stream().map(spot -> spot.in(explorer.graph())).toArray(Event[]::new));
        if (failure == null || failure.verdict() != recording.verdict) {
            throw new NondeterministicProgramException(
                    "The recorded execution ends with \"" + recording.verdict.words() + "\", but now "
                            + (failure == null
                                    ? "nothing is wrong with it"
                                    : "with \"" + failure.verdict().words() + "\"")
                            + ": the code has changed since.");
        }
        return explorer.result(failure.verdict());
    }

    private void checkHeader() {
        if (recording.model != model) {
            throw new IllegalArgumentException(
                    "The execution was recorded under " + recording.model + ", not under " + model + ".");
        }
        String identity = Recording.line(subject.identity());
        if (!recording.identity.equals(identity)) {
            throw new IllegalArgumentException(
                    "The recorded execution is of \"" + recording.identity + "\", not of \"" + identity + "\".");
        }
    }

    /** Gives started threads their recorded numbers, whichever is started first now. */
    private void expectThreads() {
        Map<Integer, Integer> started = new HashMap<>();
        for (Recording.Entry entry : recording.entries) {
            int thread = entry.spot().thread();
            if (entry.kind() == Kind.CREATE) {
                subject.expectThread(thread, started.merge(thread, 1, Integer::sum) - 1, entry.option());
            }
        }
        for (Recording.Entry entry : recording.entries) {
            if (entry.spot().thread() >= subject.threads()) {
                throw new NondeterministicProgramException("The recorded execution has more than " + subject.threads()
                        + " threads: the code has changed since.");
            }
        }
    }

    /** Checks that all recorded events are in the graph, and that it is an error under this model. */
    private void checkGraph(Graph graph) {
        for (int thread = 0; thread < graph.threads(); thread++) {
            Recording.Entry missing = recording.entry(thread, graph.length(thread));
            if (missing != null) {
                throw new NondeterministicProgramException(subject.threadName(thread) + " does not go on to \""
                        + missing.words() + "\", which is recorded as its event " + graph.length(thread)
                        + ": the code has changed since.");
            }
        }
        if (!ConsistencyRecheck.isWrong(graph, model, Map.of(), recording.verdict)) {
            throw new NondeterministicProgramException(
                    "The recorded execution is not wrong any more under " + model + ": the code has changed since.");
        }
    }
}
