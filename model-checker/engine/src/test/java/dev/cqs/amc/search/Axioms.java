package dev.cqs.amc.search;

import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import java.util.List;
import java.util.function.Predicate;

/**
 * One candidate execution and the axioms of SC, TSO, RC11 (both variants) and JLS, as the papers state them (see
 * {@code dev.cqs.amc.models}). It shares no code with the engine.
 */
public final class Axioms {

    /**
     * An event. The events of a thread are in program order.
     *
     * @param thread the thread, or -1 for an initial write
     * @param location a number, or one of the constants below
     * @param locked whether it is part of a read-modify-write, even of a failed one
     * @param readHalf for the write of a read-modify-write, the index of its read, else -1
     * @param own whether it accesses an object of its thread that has not escaped
     */
    public record Event(
            int thread,
            int location,
            boolean read,
            boolean write,
            boolean locked,
            Mode mode,
            int readHalf,
            boolean own) {

        /** The location of a fence. */
        public static final int FENCE = -1;
        /** The location of the start of a thread, of its beginning, and of its end. */
        public static final int BORDER = -2;
        /** The location of a join. */
        public static final int JOIN = -3;

        boolean isFence() {
            return location == FENCE;
        }
    }

    private final List<Event> events;
    private final boolean[] exists;
    private final int locations;
    private final int size;
    private final Matrix po;
    private final Matrix rf;
    private final Matrix co;
    private final Matrix rmw;
    private final Matrix sameLocation;
    private final Matrix across;
    private final Matrix fr;
    private final Matrix eco;
    private Matrix hb;

    /**
     * A candidate.
     *
     * @param events the events: first the initial write of each location, then those of the threads
     * @param exists false for the write of a read-modify-write that fails
     * @param source per read, the write that it reads from
     * @param orders per location, its writes in coherence order
     * @param borders pairs of events: the start of a thread and its beginning, its end and a join
     */
    public Axioms(List<Event> events, boolean[] exists, int[] source, List<List<Integer>> orders, List<int[]> borders) {
        this.events = events;
        this.exists = exists;
        locations = orders.size();
        size = events.size();
        po = Matrix.empty(size);
        rf = Matrix.empty(size);
        co = Matrix.empty(size);
        rmw = Matrix.empty(size);
        sameLocation = Matrix.empty(size);
        across = Matrix.empty(size);
        borders.forEach(border -> across.add(border[0], border[1]));
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                if (exists[i] && exists[k]) {
                    relate(i, k);
                }
            }
            if (events.get(i).read()) {
                rf.add(source[i], i);
            }
        }
        for (List<Integer> order : orders) {
            for (int i = 0; i < order.size(); i++) {
                for (int k = i + 1; k < order.size(); k++) {
                    co.add(order.get(i), order.get(k));
                }
            }
        }
        fr = rf.inverse().then(co);
        eco = rf.or(co).or(fr).plus();
    }

    private void relate(int i, int k) {
        Event one = events.get(i);
        Event other = events.get(k);
        if (one.thread() == other.thread() && one.thread() >= 0 && i < k) {
            po.add(i, k);
        }
        if (other.readHalf() == i) {
            rmw.add(i, k);
        }
        if (one.location() >= 0 && one.location() == other.location()) {
            sameLocation.add(i, k);
        }
    }

    /** The axioms that all models share: coherence, atomicity, and acyclicity of po ∪ rf. */
    public boolean coherentAndAtomic() {
        return rmw.and(fr.then(co)).isEmpty()
                && po.and(sameLocation).or(rf).or(co).or(fr).acyclic();
    }

    /** Whether the model allows the candidate, which satisfies the shared axioms. */
    public boolean hold(Model model) {
        return switch (model) {
            case SC -> po.or(across).or(rf).or(co).or(fr).acyclic();
            case TSO -> tso();
            case RC11 -> rc11(false);
            case RC11_GENMC -> rc11(true);
            case JLS -> jls();
        };
    }

    private boolean tso() {
        Matrix ppo = Matrix.empty(size);
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                if (po.has(i, k) && preserved(i, k)) {
                    ppo.add(i, k);
                }
            }
        }
        return ppo.or(across).or(rf.minus(po)).or(co).or(fr).acyclic();
    }

    private boolean preserved(int i, int k) {
        if (events.get(i).isFence() || events.get(k).isFence()) {
            // A fence is no event of the cycle itself: it orders the accesses around it.
            return false;
        }
        if (!events.get(i).write() || !events.get(k).read() && events.get(k).location() != Event.JOIN) {
            return true; // starts and ends of threads have barriers
        }
        if (events.get(i).locked() && !events.get(i).own()
                || events.get(k).locked() && !events.get(k).own()) {
            return true;
        }
        for (int middle = i; middle < k; middle++) {
            Event node = events.get(middle);
            if (exists[middle] && node.mode() == Mode.VOLATILE && !node.read() && !node.own()) {
                return true;
            }
        }
        return false;
    }

    private Matrix reads(Predicate<Event> condition) {
        return Matrix.on(size, i -> exists[i] && events.get(i).read() && condition.test(events.get(i)));
    }

    private Matrix writes(Predicate<Event> condition) {
        return Matrix.on(size, i -> exists[i] && events.get(i).write() && condition.test(events.get(i)));
    }

    private Matrix fences(Predicate<Event> condition) {
        return Matrix.on(size, i -> events.get(i).isFence() && condition.test(events.get(i)));
    }

    private Matrix happensBefore(boolean java) {
        Matrix notPlainWrite = writes(node -> node.mode() != Mode.PLAIN);
        Matrix release = writes(node -> node.mode().releases())
                .or(fences(node -> node.mode().releases()).then(po))
                .then(notPlainWrite);
        Matrix sequence = notPlainWrite.then(rf.then(rmw).plus().maybe());
        Matrix notPlainRead = reads(node -> node.mode() != Mode.PLAIN);
        Matrix acquire = notPlainRead.then(reads(node -> node.mode().acquires())
                .or(po.then(fences(node -> node.mode().acquires()))));
        Matrix sw = release.then(sequence).then(rf).then(acquire);
        if (java) {
            Matrix volatileWrite = writes(node -> node.mode() == Mode.VOLATILE);
            sw = sw.or(volatileWrite
                    .then(co.maybe())
                    .then(volatileWrite)
                    .then(rf)
                    .then(reads(node -> node.mode() == Mode.VOLATILE)));
        }
        Matrix initial = Matrix.empty(size);
        for (int i = 0; i < locations; i++) {
            for (int k = locations; k < size; k++) {
                initial.add(i, k);
            }
        }
        return po.or(across).or(sw).or(initial).plus();
    }

    private boolean rc11(boolean genmc) {
        hb = happensBefore(false);
        Matrix sc = volatiles();
        Matrix fence = fences(node -> node.mode() == Mode.VOLATILE);
        Matrix psc = genmc ? pscOfGenmc(sc, fence) : pscOfPaper(sc, fence);
        return hb.irreflexive() && hb.then(eco).irreflexive() && psc.acyclic();
    }

    private Matrix volatiles() {
        return Matrix.on(size, i -> exists[i] && events.get(i).mode() == Mode.VOLATILE);
    }

    private Matrix pscOfPaper(Matrix sc, Matrix fence) {
        Matrix poElsewhere = po.minus(sameLocation);
        Matrix scb = po.or(poElsewhere.then(hb).then(poElsewhere))
                .or(hb.and(sameLocation))
                .or(co)
                .or(fr);
        Matrix base =
                sc.or(fence.then(hb.maybe())).then(scb).then(sc.or(hb.maybe().then(fence)));
        return base.or(fence.then(hb.or(hb.then(eco).then(hb))).then(fence));
    }

    private Matrix pscOfGenmc(Matrix sc, Matrix fence) {
        Matrix around = sc.then(po).then(hb).then(po).then(sc);
        Matrix middle = sc.then(fence.then(hb).maybe())
                .then(po.or(rf).or(co).or(fr))
                .then(hb.then(fence).maybe())
                .then(sc);
        return around.or(middle).or(fence.then(hb.or(hb.then(eco).then(hb))).then(fence));
    }

    private boolean jls() {
        hb = happensBefore(true);
        Matrix fence = fences(node -> node.mode() == Mode.VOLATILE);
        Matrix sc = volatiles();
        Matrix strong = sc.or(fence.then(hb.maybe()))
                .then(hb.or(eco))
                .then(sc.or(hb.maybe().then(fence)));
        return hb.irreflexive() && hb.then(eco).irreflexive() && strong.acyclic();
    }

    /** Whether the candidate has a data race. */
    public boolean race(Model model) {
        Matrix before = happensBefore(model == Model.JLS);
        for (int i = locations; i < size; i++) {
            for (int k = locations; k < i; k++) {
                Event one = events.get(i);
                Event other = events.get(k);
                if (sameLocation.has(i, k)
                        && one.thread() != other.thread()
                        && (one.write() || other.write())
                        && (one.mode() == Mode.PLAIN || other.mode() == Mode.PLAIN)
                        && !before.has(i, k)
                        && !before.has(k, i)) {
                    return true;
                }
            }
        }
        return false;
    }
}
