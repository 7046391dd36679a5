package dev.cqs.amc.dpor;

import dev.cqs.amc.Mode;
import dev.cqs.amc.check.Findings;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.HappensBefore;
import dev.cqs.amc.graph.History;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Step;
import dev.cqs.amc.graph.Update;
import dev.cqs.amc.models.MemoryModel;
import dev.cqs.amc.models.Rc11;
import dev.cqs.amc.replay.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Adds the events of threads to the current graph, each with its first option, which is always consistent. The other
 * options, and the revisits of a new write, become work items of the graph's frame.
 */
public final class GraphBuilder {

    private final Subject subject;
    private final MemoryModel model;
    private final Findings findings;
    private final Revisits revisits;
    private final SymmetryReduction symmetry;
    private final FreshObjects freshObjects;
    private final Freezes freezes;
    private final int threads;

    private final Histories histories;

    @SuppressWarnings("NullAway.Init") // continueIn() comes first
    private Frame frame;

    @SuppressWarnings("NullAway.Init") // continueIn() comes first
    private Graph graph;
    /** The recording that new events follow; null to explore all options. */
    private @Nullable Recording recording;

    public GraphBuilder(Subject subject, MemoryModel model, Findings findings, Revisits revisits) {
        this.subject = subject;
        this.model = model;
        this.findings = findings;
        this.revisits = revisits;
        threads = subject.threads();
        histories = new Histories(subject);
        symmetry = new SymmetryReduction(subject);
        freshObjects = new FreshObjects(subject, findings);
        freezes = new Freezes(subject, findings);
    }

    /** Extends the graph of this frame from now on. */
    public void continueIn(Frame frame) {
        this.frame = frame;
        graph = frame.graph;
    }

    /** The memoized steps of the threads. */
    public Histories histories() {
        return histories;
    }

    /** The current graph. */
    public Graph graph() {
        return graph;
    }

    /** The value of the last write to the location in coherence order. */
    public long latest(int location) {
        return graph.knows(location) ? graph.latest(location).value : subject.initial(location);
    }

    private void touch(int location) {
        if (!graph.knows(location)) {
            graph.initialize(location, subject.initial(location));
        }
    }

    /** Whether a thread may add its next event only after its symmetric thread has; see {@link SymmetryReduction}. */
    public boolean mustWait(int thread, Kind kind) {
        return recording == null
                && (kind == Kind.READ || kind == Kind.WRITE || kind == Kind.FENCE)
                && symmetry.mustWait(graph, thread);
    }

    /** The two symmetric threads, if there are any. */
    public SymmetryReduction symmetry() {
        return symmetry;
    }

    /** The collapsed objects. */
    FreshObjects freshObjects() {
        return freshObjects;
    }

    /** Final-field semantics. */
    public Freezes freezes() {
        return freezes;
    }

    // Reads

    /** Adds a read, and the write that follows if it is a read-modify-write that succeeds. */
    public Event addRead(Event read) {
        if (recording != null) {
            return addRecordedRead(read);
        }
        placeRead(read);
        keepRead(read);
        if (read.paired) {
            Event write = addPairedWrite(read);
            findings.checkRaces(graph, read);
            findings.checkRaces(graph, write);
            revisits.push(frame, write);
        } else {
            findings.checkRaces(graph, read);
        }
        return read;
    }

    @SuppressWarnings("NullAway") // its read comes before
    private Event addRecordedRead(Event read) {
        touch(read.location);
        Event previous = graph.last(read.thread);
        freezes.cover(graph, read);
        HappensBefore.set(read, previous, threads);
        addRecorded(read);
        HappensBefore.set(read, previous, threads);
        return read.paired ? graph.previousInThread(addPairedWrite(read)) : read;
    }

    /** Whether a failed iteration may be removed from the graph: not when following a recording. */
    public boolean mayTry() {
        return recording == null;
    }

    /** Adds a read that writes nothing, tentatively: {@link #keepRead} or {@link #dropReads} follows. */
    public Event tryRead(Event read) {
        placeRead(read);
        findings.checkRaces(graph, read);
        return read;
    }

    private void placeRead(Event read) {
        touch(read.location);
        Event previous = graph.last(read.thread);
        freshObjects.check(graph, read, previous);
        freezes.cover(graph, read);
        read.tie = symmetry.tie(graph, read);
        read.floor = graph.newest(read.location, read.covered, graph.floor(read.location, model.seen(previous)));
        graph.append(read);
        graph.setSource(read, graph.latest(read.location));
        HappensBefore.set(read, previous, threads);
    }

    /**
     * Keeps the latest read of its thread, and pushes work items for the other writes that it can read from. Nothing
     * was written since it was added.
     */
    public void keepRead(Event read) {
        Event previous = graph.previousInThread(read);
        for (int i = read.floor; i < read.source.order; i++) {
            Event write = graph.write(read.location, i);
            if (SymmetryReduction.mayRead(read.tie, write)
                    && !isKnownToFail(read, write)
                    && (!read.wouldWrite(write) || !isTaken(write, previous))) {
                frame.push(WorkItem.readFrom(read, write));
            }
        }
    }

    /**
     * Whether the read would complete a failed iteration if it read from {@code write}, which is not the latest: then
     * its thread would be blocked for good without being a hang. Only where that cannot hide a race.
     */
    private boolean isKnownToFail(Event read, Event write) {
        return read.inLoop
                && !findings.keepsHopeless()
                && !mayRace(read.mode, read.location)
                && histories.fails(
                        graph, read.thread, histories.before(graph, read.thread, read.index), read.index, write);
    }

    private boolean mayRace(Mode mode, int location) {
        return mode == Mode.PLAIN || graph.hasPlainWrite(location);
    }

    /**
     * Whether the next read of a thread with this history would complete a failed iteration if it read from the latest
     * write. Only where that cannot hide a race.
     */
    public boolean fails(int thread, History history, Step.Add read, int begin) {
        return graph.knows(read.location())
                && !mayRace(read.mode(), read.location())
                && histories.fails(graph, thread, history, begin, graph.latest(read.location()));
    }

    /** Removes the reads of a thread from this index on. No other event was added since the first of them. */
    public void dropReads(int thread, int from) {
        graph.restrict(graph.event(thread, from).stamp - 1);
    }

    /** Whether an update would write if it were added now. */
    public boolean wouldWrite(Event update) {
        touch(update.location);
        return update.wouldWrite(graph.latest(update.location));
    }

    /**
     * Whether a read-modify-write reads from {@code write} irrevocably: it is not revisitable, or is in the prefix of
     * the event that is added now. The prefix is taken without that event's own reads-from edge.
     */
    private static boolean isTaken(Event write, @Nullable Event previous) {
        for (int i = 0; i < write.readerCount; i++) {
            Event reader = write.readers[i];
            if (reader.paired && (!reader.revisitable || previous != null && Clock.has(previous.prefix, reader))) {
                return true;
            }
        }
        return false;
    }

    // Writes

    /** Adds the write of a read-modify-write after its read. It pushes no revisits. */
    @SuppressWarnings("NullAway") // the read is of a read-modify-write
    public Event addPairedWrite(Event read) {
        Event write = new Event(read.thread, read.index + 1, Kind.WRITE, read.location, read.change.writeMode());
        write.value = read.change.update().apply(read.value, read.change.operand());
        write.paired = true;
        write.monitor = read.change.update() == Update.ENTER_MONITOR;
        write.isPrivate = read.isPrivate;
        graph.append(write);
        graph.insert(write, read.source.order + 1);
        HappensBefore.set(write, read, threads);
        return write;
    }

    public void addWrite(Event write) {
        touch(write.location);
        if (recording != null) {
            HappensBefore.set(write, graph.last(write.thread), threads);
            addRecorded(write);
            return;
        }
        freshObjects.check(graph, write, graph.last(write.thread));
        write.tie = symmetry.tie(graph, write);
        HappensBefore.set(write, graph.last(write.thread), threads);
        int floor = graph.floor(write.location, model.seen(write), write.tie == null ? 0 : Rc11.place(write.tie));
        graph.append(write);
        int latest = graph.writeCount(write.location) - 1;
        for (int i = floor; i < latest; i++) {
            if (!graph.write(write.location, i + 1).paired) {
                frame.push(WorkItem.writeAfter(write, graph.write(write.location, i)));
            }
        }
        graph.insert(write, latest + 1);
        findings.checkRaces(graph, write);
        revisits.push(frame, write);
    }

    // Other events

    /** Adds the first event of a created thread, after its creation. */
    @SuppressWarnings("NullAway") // the thread has an event then
    public void addStart(Event start) {
        Event creation = graph.creation(start.thread);
        HappensBefore.set(start, null, threads);
        if (creation != null) {
            HappensBefore.follow(start, creation);
        } else {
            for (int thread = 0; thread < threads; thread++) {
                if (graph.last(thread) != null) {
                    HappensBefore.follow(start, graph.last(thread));
                }
            }
        }
        start.source = creation;
        graph.append(start);
    }

    public void addJoin(Event join, Event end) {
        HappensBefore.set(join, graph.last(join.thread), threads);
        HappensBefore.follow(join, end);
        join.source = end;
        graph.append(join);
    }

    /** Adds a fence, or another event without options and without a source. */
    public void addFence(Event fence) {
        fence.tie = fence.kind == Kind.FENCE && recording == null ? symmetry.tie(graph, fence) : null;
        HappensBefore.set(fence, graph.last(fence.thread), threads);
        graph.append(fence);
    }

    public void addChoice(Event choice) {
        HappensBefore.set(choice, graph.last(choice.thread), threads);
        if (recording != null) {
            addRecorded(choice);
            return;
        }
        graph.append(choice);
        for (int option = choice.options - 1; option > 0; option--) {
            frame.push(WorkItem.choose(choice, option));
        }
    }

    /** Adds an event that is neither a read nor a wait for another thread. */
    public void add(Event event) {
        switch (event.kind) {
            case WRITE -> addWrite(event);
            case CHOICE -> addChoice(event);
            case START -> addStart(event);
            case FENCE, END -> addFence(event);
            default -> throw new IllegalArgumentException("an event that waits for another thread: " + event.kind);
        }
    }

    // Following a recording

    /** Makes new events follow the recording, without other options. */
    public void follow(Recording recorded) {
        recording = recorded;
    }

    /** The recording that is followed, or null. */
    public @Nullable Recording recording() {
        return recording;
    }

    @SuppressWarnings("NullAway") // there is one
    private void addRecorded(Event event) {
        graph.append(event);
        recording.choose(subject, graph, event);
    }

    /** Called for each new event, to compare it with the recording. */
    public void checkRecorded(Event event) {
        if (recording != null) {
            recording.check(subject, event);
        }
    }
}
