package dev.cqs.amc.engine;

import dev.cqs.amc.CounterExample;
import dev.cqs.amc.FinalState;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Visits every consistent execution graph of a program, each once.
 */
public final class Explorer {
    /*
     * One graph is extended at a time. A new event gets the first of its options, which is always consistent: a read
     * takes the latest write, a write is put after all others. The other options go on the stack of work of the
     * graph's frame. When all threads have ended or are blocked, the graph is an execution; then the latest option
     * is popped, the graph is cut back to the moment at which the option came up, the option is taken, and the
     * threads run again, from the beginning: what is in the graph already is replayed, the rest is new.
     *
     * A read must also see writes that come into the graph after it. So a new write revisits reads: the graph without
     * all that came after the read, save what the write needs, is copied to a frame of its own, in which the read takes
     * the write. Revisits says which ones. A frame is dropped when its work is done, so at any time there is one
     * frame per nested revisit, and nothing is remembered of graphs that have been visited.
     *
     * Waiting. A round of an await that fails leaves no trace that others could use, so any execution with failed rounds
     * has a twin without them. A thread whose round would fail on the latest writes is therefore not run as long as
     * another one can be: its round is tried, and taken out of the graph again, until something it has read is written.
     * In which order threads run changes nothing, and most waits end this way. When nobody can go on, the failed rounds are
     * added, and their threads are blocked in this graph; a later write to what one has read revisits the read, and in that
     * graph the round is run again. What remains blocked reading the latest writes of all locations it has read waits
     * forever.
     *
     * Read-modify-writes. Two of them may read one write for a moment. That graph is no execution, but the second one's write
     * revisits the first one's read; so the revisits are pushed before the graph is abandoned.
     */

    private final Subject subject;
    private final Options options;
    private final MemoryModel model;
    private final Schedule schedule;
    private final Revisits revisits;
    private final ThreadRun[] threads;
    private final Watch watch;
    private final ArrayDeque<Frame> frames = new ArrayDeque<>();
    private final Outcomes outcomes = new Outcomes();

    private Frame frame;
    private Graph graph;
    private Failure failure;
    private boolean abandoned;
    private boolean keepsHopeless;
    /** What new events are to be; null to explore all that they can be. */
    private Recording recording;
    /** Whether the graph has all its events. Then it is noted where in the source they come from. */
    private boolean isTold;
    private final Map<Event, String> places = new IdentityHashMap<>();

    private long complete;
    private long blocked;
    private long moot;
    private long inconsistent;
    private boolean boundHit;
    private int largest;

    /** Prepares the exploration of {@code program}. */
    public Explorer(Program program, Options options) {
        this(new ProgramSubject(program), options);
    }

    /** Prepares the exploration of {@code subject}. */
    public Explorer(Subject subject, Options options) {
        this(subject, options, MemoryModel.of(options.model()), Schedule.inOrder(subject.threads()));
    }

    Explorer(Program program, Options options, MemoryModel model, Schedule schedule) {
        this(new ProgramSubject(program), options, model, schedule);
    }

    private Explorer(Subject subject, Options options, MemoryModel model, Schedule schedule) {
        this.subject = subject;
        this.options = options;
        this.model = model;
        this.schedule = schedule;
        revisits = new Revisits(model);
        watch = new Watch(options, System::nanoTime);
        threads = new ThreadRun[subject.threads()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new ThreadRun(this, i);
        }
    }

    // The main loop

    /** Explores, until all is visited, something fails, or a limit is reached. */
    public Result explore() {
        watch.start(() -> new Walks(new Explorer(subject, options, model, schedule), System::nanoTime).guess());
        begin();
        while (failure == null && !frames.isEmpty()) {
            top();
            Work work = frame.poll();
            if (work == null) {
                frames.pop();
            } else if (complete + blocked >= options.maxExecutions() || watch.isTimeOver(complete, blocked)) {
                return result(Verdict.UNFINISHED);
            } else {
                take(work);
            }
        }
        if (failure != null) {
            retell();
            return result(failure.verdict());
        }
        return result(boundHit ? Verdict.VERIFIED_UP_TO_BOUND : Verdict.VERIFIED);
    }

    /** Makes the first graph and runs the program in it. */
    void begin() {
        frames.clear();
        frames.push(new Frame(new Graph(threads.length)));
        top();
        run();
    }

    /** Takes an option of the present frame, and runs the program in the graph that comes of it, if any does. */
    void take(Work work) {
        if (apply(work) && failure == null) {
            run();
        }
    }

    private void top() {
        frame = frames.peek();
        graph = frame.graph;
    }

    /** Takes an option; false if there is no execution with it, or none that is not visited elsewhere. */
    private boolean apply(Work work) {
        Event event = work.event();
        switch (work.type()) {
            case READ_FROM -> {
                graph.restrict(event.stamp);
                return takeSource(event, work.write(), false);
            }
            case WRITE_AFTER -> {
                graph.restrict(event.stamp);
                graph.moveAfter(event, work.write());
                event.addedMax = false;
                return settle(event);
            }
            case REVISIT -> {
                frames.push(new Frame(graph.copyForRevisit(event, work.write())));
                top();
                Event write = work.write().twin;
                return takeSource(event.twin, write, graph.next(write) == null);
            }
            default -> {
                graph.restrict(event.stamp);
                event.value = work.option();
                event.addedMax = false;
                return true;
            }
        }
    }

    private boolean takeSource(Event read, Event source, boolean max) {
        graph.setSource(read, source);
        read.addedMax = max;
        HappensBefore.set(read, graph.previous(read), threads.length);
        return settle(read.paired ? addPairedWrite(read) : read);
    }

    /** Checks the graph after the instruction of {@code changed} got another place. */
    private boolean settle(Event changed) {
        if (!model.consistent(graph, changed)) {
            inconsistent++;
            return false;
        }
        if (changed.isWrite() && !revisits.push(frame, changed)) {
            moot++;
            return false;
        }
        if (changed.isPairedWrite()) {
            checkRaces(graph.previous(changed));
        }
        checkRaces(changed);
        return true;
    }

    // Extending the graph

    private void run() {
        abandoned = false;
        runThreads();
        largest = Math.max(largest, graph.size());
        if (abandoned) {
            moot++;
        } else if (failure == null) {
            finish();
        } else if (failure.cause() != null) {
            confirm(failure);
        }
    }

    private void runThreads() {
        subject.begin();
        for (ThreadRun thread : threads) {
            thread.reset();
        }
        while (!abandoned && failure == null) {
            ThreadRun thread = nextThread();
            if (thread != null) {
                thread.run(schedule.turn(graph.size()));
                continue;
            }
            thread = nextWaiting();
            if (thread == null) {
                break;
            }
            thread.runIntoWait();
        }
    }

    /** Runs the graph again: what a program throws by chance, not having read anything else, is not what is wrong with it. */
    private void confirm(Failure found) {
        failure = null;
        runThreads();
        if (failure == null) {
            throw new NondeterministicProgramException(found.message() + ", but not when it runs again, having read the same values.");
        }
        failure = found;
    }

    /** Runs the first execution again: if there is no other one, then nothing else tells whether the program does the same. */
    private void confirmOutcome() {
        List<Long> found = List.copyOf(outcomes.present());
        runThreads();
        if (failure != null) {
            throw new NondeterministicProgramException(failure.message() + ", but not when it has run before, having read the same"
                    + " values.");
        }
        collectOutcome();
        if (!found.equals(outcomes.present())) {
            throw new NondeterministicProgramException("The program observes " + outcomes.present() + ", where it has observed " + found
                    + " before, having read the same values.");
        }
    }

    private ThreadRun nextThread() {
        int[] order = schedule.order();
        int first = schedule.first(graph.size());
        for (int i = 0; i < order.length; i++) {
            ThreadRun thread = threads[order[(first + i) % order.length]];
            if (thread.isReady() && isStarted(thread)) {
                return thread;
            }
        }
        return null;
    }

    /** When no other thread can go on: one that waits for news, or null. */
    private ThreadRun nextWaiting() {
        for (int thread : schedule.order()) {
            if (threads[thread].isWaiting()) {
                return threads[thread];
            }
        }
        return null;
    }

    private boolean isStarted(ThreadRun thread) {
        return switch (subject.start(thread.id())) {
            case AT_ONCE -> true;
            case WHEN_CREATED -> graph.creation(thread.id()) != null;
            default -> allOthersEnded(thread);
        };
    }

    private boolean allOthersEnded(ThreadRun last) {
        for (ThreadRun thread : threads) {
            if (thread != last && !thread.hasEnded() && (thread.isBlocked() || isStarted(thread))) {
                return false;
            }
        }
        return true;
    }

    /** Runs a thread while another one is running; not if it is running itself, further down on the stack. */
    void runNested(int thread) {
        if (!threads[thread].isActive() && threads[thread].isReady() && isStarted(threads[thread])) {
            threads[thread].run(isTold || recording != null ? 0 : Integer.MAX_VALUE);
        }
    }

    private void finish() {
        if (model.ordersLate()) {
            Event[] race = model.race(graph);
            if (race != null) {
                failRace(race[1], race[0]);
                return;
            }
        }
        boolean someBlocked = false;
        for (ThreadRun thread : threads) {
            someBlocked |= thread.isBlocked();
            boundHit |= thread.hasHitBound();
        }
        if (someBlocked) {
            blocked++;
            Hangs.check(graph, threads, this);
            return;
        }
        complete++;
        checkEnd();
        countOutcome();
    }

    private void checkEnd() {
        try {
            subject.checkEnd(new End());
        } catch (RuntimeException | AssertionError thrown) {
            fail(new Failure(Verdict.EXCEPTION, "The check of the end throws " + thrown, List.of(), thrown));
        }
    }

    private void countOutcome() {
        collectOutcome();
        if (complete == 1 && failure == null) {
            confirmOutcome();
        }
        outcomes.count();
    }

    private void collectOutcome() {
        outcomes.begin();
        for (ThreadRun thread : threads) {
            outcomes.add(thread.observations());
        }
        for (int location : subject.observed()) {
            outcomes.add(latest(location));
        }
    }

    long latest(int location) {
        return graph.knows(location) ? graph.latest(location).value : subject.initial(location);
    }

    private void touch(int location) {
        if (!graph.knows(location)) {
            graph.initialize(location, subject.initial(location));
        }
    }

    /** Adds a read, and the write that follows if it is a read-modify-write that succeeds. */
    Event addRead(Event read) {
        if (recording != null) {
            return addRecordedRead(read);
        }
        placeRead(read);
        keepRead(read);
        if (read.paired) {
            Event write = addPairedWrite(read);
            checkRaces(read);
            checkRaces(write);
            revisits.push(frame, write);
        } else {
            checkRaces(read);
        }
        return read;
    }

    private Event addRecordedRead(Event read) {
        touch(read.location);
        Event previous = graph.last(read.thread);
        HappensBefore.set(read, previous, threads.length);
        addRecorded(read);
        HappensBefore.set(read, previous, threads.length);
        return read.paired ? graph.previous(addPairedWrite(read)) : read;
    }

    /** Whether a round that fails may be taken out of the graph again: not if the graph is to be as it was recorded. */
    boolean mayTry() {
        return recording == null;
    }

    /** Adds a read that writes nothing, of which {@link #keepRead} or {@link #dropReads} will say whether it stays. */
    Event tryRead(Event read) {
        placeRead(read);
        checkRaces(read);
        return read;
    }

    private void placeRead(Event read) {
        touch(read.location);
        Event previous = graph.last(read.thread);
        HappensBefore.set(read, previous, threads.length);
        read.floor = graph.floor(read.location, model.seen(read));
        graph.append(read);
        graph.setSource(read, graph.latest(read.location));
        HappensBefore.set(read, previous, threads.length);
    }

    /** Takes the other sources of the latest read of its thread for options. Nothing has been written since it was added. */
    void keepRead(Event read) {
        Event previous = graph.previous(read);
        for (int i = read.floor; i < read.source.order; i++) {
            Event write = graph.write(read.location, i);
            if (!read.wouldWrite(write) || !isTaken(write, previous)) {
                frame.push(Work.readFrom(read, write));
            }
        }
    }

    /** Takes the reads of a thread from this place on out of the graph. No event has been added since the first of them. */
    void dropReads(int thread, int from) {
        graph.restrict(graph.event(thread, from).stamp - 1);
    }

    /** Whether an update would write if it were added now. */
    boolean wouldWrite(Event update) {
        touch(update.location);
        return update.wouldWrite(graph.latest(update.location));
    }

    /**
     * Whether a read-modify-write has read {@code write} for good: it can not be revisited, or comes before the
     * event that is added now. Asked without the source of that event, which would put all before it.
     */
    private static boolean isTaken(Event write, Event previous) {
        for (int i = 0; i < write.readerCount; i++) {
            Event reader = write.readers[i];
            if (reader.paired && (!reader.revisitable || previous != null && Clock.has(previous.prefix, reader))) {
                return true;
            }
        }
        return false;
    }

    private Event addPairedWrite(Event read) {
        Event write = new Event(read.thread, read.index + 1, Kind.WRITE, read.location, read.writeMode);
        write.value = read.update.apply(read.value, read.operand);
        write.paired = true;
        graph.append(write);
        graph.insert(write, read.source.order + 1);
        HappensBefore.set(write, read, threads.length);
        return write;
    }

    void addWrite(Event write) {
        touch(write.location);
        HappensBefore.set(write, graph.last(write.thread), threads.length);
        if (recording != null) {
            addRecorded(write);
            return;
        }
        int floor = graph.floor(write.location, model.seen(write));
        graph.append(write);
        int latest = graph.writeCount(write.location) - 1;
        for (int i = floor; i < latest; i++) {
            if (!graph.write(write.location, i + 1).paired) {
                frame.push(Work.writeAfter(write, graph.write(write.location, i)));
            }
        }
        graph.insert(write, latest + 1);
        checkRaces(write);
        revisits.push(frame, write);
    }

    /** The first event of a thread that is not there at once comes after what has started it. */
    void addStart(Event start) {
        Event creation = graph.creation(start.thread);
        HappensBefore.set(start, null, threads.length);
        if (creation != null) {
            HappensBefore.follow(start, creation);
        } else {
            for (int thread = 0; thread < threads.length; thread++) {
                if (graph.last(thread) != null) {
                    HappensBefore.follow(start, graph.last(thread));
                }
            }
        }
        start.source = creation;
        graph.append(start);
    }

    void addJoin(Event join, Event end) {
        HappensBefore.set(join, graph.last(join.thread), threads.length);
        HappensBefore.follow(join, end);
        join.source = end;
        graph.append(join);
    }

    /** Adds a fence, or another event that has no options and no source. */
    void addFence(Event fence) {
        HappensBefore.set(fence, graph.last(fence.thread), threads.length);
        graph.append(fence);
    }

    void addChoice(Event choice) {
        HappensBefore.set(choice, graph.last(choice.thread), threads.length);
        if (recording != null) {
            addRecorded(choice);
            return;
        }
        graph.append(choice);
        for (int option = choice.options - 1; option > 0; option--) {
            frame.push(Work.choose(choice, option));
        }
    }

    /** Ends the run of this graph, in which a thread is blocked for good and yet does not hang. */
    void abandonHopeless() {
        abandoned = !keepsHopeless;
    }

    /** Has graphs that can become neither an execution nor a hang be extended all the same. For tests. */
    void keepHopeless() {
        keepsHopeless = true;
    }

    // Failing

    private void checkRaces(Event event) {
        if (failure == null && !model.ordersLate()) {
            Event other = Races.with(graph, event);
            if (other != null) {
                failRace(event, other);
            }
        }
    }

    private void failRace(Event event, Event other) {
        fail(Failure.race(subject, event, other));
    }

    void failPlainSpin(Event read) {
        fail(Failure.plainSpin(subject, read));
    }

    void fail(Verdict verdict, String message, List<Event> events) {
        fail(new Failure(verdict, message, events, null));
    }

    void fail(Failure found) {
        if (failure == null) {
            failure = found;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    // For the threads

    Subject subject() {
        return subject;
    }

    Graph graph() {
        return graph;
    }

    Options options() {
        return options;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    // Telling a graph again

    /** Runs all threads in the graph as it is, and no further; then they stand where it leaves them. Returns what fails. */
    private Failure retell() {
        Failure known = failure;
        Failure found = null;
        isTold = true;
        keepsHopeless = true;
        subject.begin();
        for (ThreadRun thread : threads) {
            thread.reset();
        }
        // One run each is enough: what a thread needs of others, those make while it waits for them.
        for (ThreadRun thread : threads) {
            if (isStarted(thread)) {
                failure = null;
                thread.run(0);
                found = found == null ? failure : found;
            }
        }
        failure = known;
        return found;
    }

    /**
     * Runs what is recorded, once, instead of exploring: first each thread as far as what it reads is there, which takes
     * several runs of the same code, then all of them once more in the whole graph.
     *
     * @throws IllegalArgumentException if it is no recording of this subject under this model
     * @throws dev.cqs.amc.NondeterministicProgramException if the code does something else now
     */
    public Result replay(String recorded) {
        return new Replay(this, Recording.read(recorded)).run();
    }

    /** Makes an empty graph, and has new events be what is recorded. */
    void begin(Recording recorded) {
        recording = recorded;
        frames.push(new Frame(new Graph(threads.length)));
        top();
        subject.begin();
    }

    /** Runs a thread until it has added so many of the events that are recorded. What fails is of no interest yet. */
    void run(Recording.Turn turn) {
        threads[turn.thread()].run(turn.events());
        failure = null;
    }

    /** Runs all that is recorded once more, and finds out what is wrong; it has a race or a spin if these are given. */
    Failure judge(Event[] accesses) {
        Failure found = retell();
        if (recording.verdict == Verdict.DATA_RACE) {
            failRace(accesses[1], accesses[0]);
        } else if (recording.verdict == Verdict.PLAIN_SPIN) {
            failPlainSpin(accesses[0]);
        } else if (found != null) {
            fail(found);
        } else if (Arrays.stream(threads).noneMatch(thread -> thread.isReady() && isStarted(thread))) {
            finish();
        }
        largest = graph.size();
        return failure;
    }

    private void addRecorded(Event event) {
        graph.append(event);
        recording.choose(subject, graph, event);
    }

    /** Called for each event that a run passes, and that the graph has already. */
    void passed(Event event) {
        if (isTold) {
            places.computeIfAbsent(event, key -> Frames.place());
        }
    }

    /** Called for each new event. */
    void checkRecorded(Event event) {
        if (recording != null) {
            recording.check(subject, event);
        }
    }

    // For the walks

    Frame frame() {
        return frame;
    }

    long visited() {
        return complete + blocked;
    }

    // The result

    Result result(Verdict verdict) {
        CounterExample example = failure == null ? null : Snapshot.of(subject, graph, threads, failure, options, places);
        return new Result(subject.name(), options.model(), subject.counted(), verdict, complete, blocked, moot, inconsistent,
                boundHit, options.loopBound(), largest, outcomes.counts(), example, List.of());
    }

    private final class End implements FinalState {

        @Override
        public long get(Variable variable) {
            return latest(variable.index());
        }

        @Override
        public void check(boolean condition, String message) {
            if (!condition) {
                fail(Verdict.CHECK_FAILED, "At the end: " + message, List.of());
            }
        }
    }
}
