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
 * Adds the events of threads to the present graph: each with the first of its options, which is always consistent. The
 * other ones, and the revisits that a new write makes, go to the frame of the graph.
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
    /** What new events are to be; null to explore all that they can be. */
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

    /** Has the graph of this frame grow from now on. */
    public void continueIn(Frame frame) {
        this.frame = frame;
        graph = frame.graph;
    }

    /** What is known of what the threads do. */
    public Histories histories() {
        return histories;
    }

    /** The graph that grows. */
    public Graph graph() {
        return graph;
    }

    /** The value at the location, as far as the graph has come. */
    public long latest(int location) {
        return graph.knows(location) ? graph.latest(location).value : subject.initial(location);
    }

    private void touch(int location) {
        if (!graph.knows(location)) {
            graph.initialize(location, subject.initial(location));
        }
    }

    /** Whether a thread may add the next event only when another one with the same code has; see {@link SymmetryReduction}. */
    public boolean mustWait(int thread, Kind kind) {
        return recording == null
                && (kind == Kind.READ || kind == Kind.WRITE || kind == Kind.FENCE)
                && symmetry.mustWait(graph, thread);
    }

    /** The two threads with the same code, if there are any. */
    public SymmetryReduction symmetry() {
        return symmetry;
    }

    /** The objects whose makers leave accesses out of the graph. */
    FreshObjects freshObjects() {
        return freshObjects;
    }

    /** What comes after the ends of constructors. */
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
        return read.paired ? graph.previous(addPairedWrite(read)) : read;
    }

    /** Whether a round that fails may be taken out of the graph again: not if the graph is to be as it was recorded. */
    public boolean mayTry() {
        return recording == null;
    }

    /** Adds a read that writes nothing, of which {@link #keepRead} or {@link #dropReads} will say whether it stays. */
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

    /** Takes the other sources of the latest read of its thread for options. Nothing has been written since it was added. */
    public void keepRead(Event read) {
        Event previous = graph.previous(read);
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
     * Whether the read would be a failed round if it read {@code write}, which is not the latest: then its thread would be
     * blocked for good, and no hang. Only where that would tell nothing of a race.
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
     * Whether the next read of a thread, with this history, would be a failed round if it read the latest write. Only where
     * that would tell nothing of a race.
     */
    public boolean fails(int thread, History history, Step.Add read, int begin) {
        return graph.knows(read.location())
                && !mayRace(read.mode(), read.location())
                && histories.fails(graph, thread, history, begin, graph.latest(read.location()));
    }

    /** Takes the reads of a thread from this place on out of the graph. No event has been added since the first of them. */
    public void dropReads(int thread, int from) {
        graph.restrict(graph.event(thread, from).stamp - 1);
    }

    /** Whether an update would write if it were added now. */
    public boolean wouldWrite(Event update) {
        touch(update.location);
        return update.wouldWrite(graph.latest(update.location));
    }

    /**
     * Whether a read-modify-write has read {@code write} for good: it cannot be revisited, or comes before the
     * event that is added now. Asked without the source of that event, which would put all before it.
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

    /** Adds the write of a read-modify-write after its read, which has its source. It makes no revisits here. */
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

    /** The first event of a thread that is not there at once comes after what has started it. */
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

    /** Adds a fence, or another event that has no options and no source. */
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

    /** Adds an event that is neither a read nor a step that waits for another thread. */
    public void add(Event event) {
        switch (event.kind) {
            case WRITE -> addWrite(event);
            case CHOICE -> addChoice(event);
            case START -> addStart(event);
            case FENCE, END -> addFence(event);
            default -> throw new IllegalArgumentException("an event that waits for another thread: " + event.kind);
        }
    }

    // What is recorded

    /** Has new events be what is recorded, with no other options. */
    public void follow(Recording recorded) {
        recording = recorded;
    }

    /** What new events are to be, or null. */
    public @Nullable Recording recording() {
        return recording;
    }

    @SuppressWarnings("NullAway") // there is one
    private void addRecorded(Event event) {
        graph.append(event);
        recording.choose(subject, graph, event);
    }

    /** Called for each new event. */
    public void checkRecorded(Event event) {
        if (recording != null) {
            recording.check(subject, event);
        }
    }
}
