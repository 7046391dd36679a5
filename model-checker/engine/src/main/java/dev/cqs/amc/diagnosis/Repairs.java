package dev.cqs.amc.diagnosis;

import dev.cqs.amc.CounterExample.Change;
import dev.cqs.amc.CounterExample.Effect;
import dev.cqs.amc.CounterExample.Repair;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.check.EventText;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.graph.Update;
import dev.cqs.amc.replay.ConsistencyRecheck;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the smallest repair of a graph: one access or fence to strengthen, or two. Each attempt asks the model
 * about this graph alone, so a repair is known to work for this execution only.
 */
final class Repairs {

    /** The maximum number of repairs to show. */
    private static final int ENOUGH = 3;
    /** A bound on the work: the number of attempts times the number of events, and more for large graphs. */
    private static final long MOST_WORK = 200_000;

    private static final int MANY = 100;

    /** Accesses that change their mode together. */
    private static final class Site {
        final List<Event> events = new ArrayList<>();

        Event first() {
            return events.get(0);
        }

        Mode mode() {
            Event event = first();
            Mode written = event.change == null ? event.mode : event.change.writeMode();
            if (event.mode == written) {
                return event.mode;
            }
            return event.mode.acquires() ? written.releases() ? Mode.ACQUIRE_RELEASE : Mode.ACQUIRE : Mode.RELEASE;
        }

        /** The stronger modes, weakest first, of those that make a difference for such an event. */
        List<Mode> stronger() {
            boolean reads = first().isRead();
            boolean writes = first().isWrite() || first().change != null;
            List<Mode> modes = new ArrayList<>();
            if (mode() == Mode.PLAIN) {
                modes.add(Mode.OPAQUE);
            }
            if (mode() == Mode.PLAIN || mode() == Mode.OPAQUE) {
                if (reads) {
                    modes.add(Mode.ACQUIRE);
                }
                if (writes) {
                    modes.add(Mode.RELEASE);
                }
            }
            if (mode() != Mode.VOLATILE) {
                modes.add(Mode.VOLATILE);
            }
            return modes;
        }
    }

    private final Graph graph;
    private final Subject subject;
    private final TraceNarrative narrative;
    private final Map<Event, String> places;
    private final Model model;
    private final Verdict verdict;
    private final List<Site> sites;
    private final List<Repair> found = new ArrayList<>();
    private final List<String> advice = new ArrayList<>();
    private long work;

    private Repairs(
            Graph graph,
            Subject subject,
            TraceNarrative narrative,
            Map<Event, String> places,
            Model model,
            Verdict verdict) {
        this.graph = graph;
        this.subject = subject;
        this.narrative = narrative;
        this.places = places;
        this.model = model;
        this.verdict = verdict;
        sites = sites();
    }

    static Repairs of(
            Graph graph,
            Subject subject,
            TraceNarrative narrative,
            Map<Event, String> places,
            Model model,
            Verdict verdict) {
        Repairs repairs = new Repairs(graph, subject, narrative, places, model, verdict);
        repairs.search();
        return repairs;
    }

    List<Repair> found() {
        return found;
    }

    /** Remarks, if nothing was found or the search was incomplete. */
    List<String> advice() {
        return advice;
    }

    private List<Site> sites() {
        Map<Object, Site> all = new LinkedHashMap<>();
        for (TraceNarrative.Part part : narrative.steps()) {
            for (Event event : part.events) {
                boolean access =
                        event.isRead() || event.kind == Kind.FENCE || event.kind == Kind.WRITE && !event.paired;
                if (access && !event.monitor && !event.first && !isMonitors(event) && !subject.isFixed(event.site)) {
                    all.computeIfAbsent(event.site == 0 ? event : List.of(event.site, place(event)), key -> new Site())
                            .events
                            .add(event);
                }
            }
        }
        return List.copyOf(all.values());
    }

    private boolean isMonitors(Event read) {
        return read.change != null && read.change.update() == Update.ENTER_MONITOR;
    }

    private void search() {
        List<Site> ordered =
                sites.stream().filter(site -> site.mode() != Mode.PLAIN).toList();
        List<Site> plain =
                sites.stream().filter(site -> site.mode() == Mode.PLAIN).toList();
        if (verdict == Verdict.PLAIN_SPIN) {
            tryEach(plain);
            return;
        }
        if (verdict != Verdict.DATA_RACE && ConsistencyRecheck.allows(graph, Model.SC, Map.of())) {
            advice.add("No stronger access forbids an interleaving: the algorithm itself allows it.");
            return;
        }
        tryEach(ordered);
        if (found.isEmpty()) {
            tryPairs(ordered);
        }
        if (found.isEmpty()) {
            tryEach(plain);
        }
        if (found.isEmpty()) {
            giveUp(ordered);
        }
    }

    private void tryEach(List<Site> sites) {
        for (boolean weak : new boolean[] {true, false}) {
            for (Site site : sites) {
                if (found.size() < ENOUGH) {
                    trySite(site, weak);
                }
            }
            if (!found.isEmpty()) {
                return;
            }
        }
    }

    private void trySite(Site site, boolean weak) {
        for (Mode mode : site.stronger()) {
            if (weak == (mode != Mode.VOLATILE) && tryOut(List.of(site), List.of(mode))) {
                return;
            }
        }
    }

    private void tryPairs(List<Site> sites) {
        for (boolean weak : new boolean[] {true, false}) {
            for (int i = 0; i < sites.size(); i++) {
                for (int k = i + 1; k < sites.size() && found.size() < ENOUGH; k++) {
                    tryPair(sites.get(i), sites.get(k), weak);
                }
            }
            if (!found.isEmpty()) {
                return;
            }
        }
    }

    private void tryPair(Site one, Site other, boolean weak) {
        for (Mode first : one.stronger()) {
            for (Mode second : other.stronger()) {
                boolean isWeak = first != Mode.VOLATILE && second != Mode.VOLATILE;
                if (isWeak == weak && tryOut(List.of(one, other), List.of(first, second))) {
                    return;
                }
            }
        }
    }

    /** Tries stronger modes, and keeps them if the graph is not an error with them. */
    private boolean tryOut(List<Site> sites, List<Mode> modes) {
        work += (long) graph.size() * (1 + graph.size() / MANY);
        if (work > MOST_WORK) {
            return false;
        }
        Map<Site, Mode> changes = new LinkedHashMap<>();
        for (int i = 0; i < sites.size(); i++) {
            changes.put(sites.get(i), modes.get(i));
        }
        if (isWrong(changes)) {
            return false;
        }
        keep(changes);
        return true;
    }

    private boolean isWrong(Map<Site, Mode> changes) {
        return ConsistencyRecheck.isWrong(graph, model, events(changes), verdict);
    }

    private static Map<Event, Mode> events(Map<Site, Mode> changes) {
        Map<Event, Mode> events = new IdentityHashMap<>();
        changes.forEach((site, mode) -> site.events.forEach(event -> events.put(event, mode)));
        return events;
    }

    private void keep(Map<Site, Mode> changes) {
        boolean possible = ConsistencyRecheck.allows(graph, model, events(changes));
        List<Change> words = new ArrayList<>();
        changes.forEach((site, mode) -> words.add(change(site.first(), mode)));
        found.add(new Repair(
                words,
                !possible
                        ? Effect.RULES_OUT
                        : verdict == Verdict.DATA_RACE ? Effect.ORDERS_THE_RACE : Effect.READS_ANEW));
    }

    private String place(Event event) {
        return places.getOrDefault(event, "");
    }

    private Change change(Event event, Mode mode) {
        int number = narrative.number(event);
        if (event.site == 0) {
            return new Change(null, "(" + EventText.of(subject, event) + ")", number, mode);
        }
        // An access in a model of a JDK class is not the user's to change, and other code uses it as well.
        boolean isOwn = place(event).equals(subject.placeName(event.site));
        String key = isOwn ? subject.siteKey(event.site) : null;
        return new Change(key, "at " + place(event) + (isOwn ? " (" + key + ")" : ""), number, mode);
    }

    private void giveUp(List<Site> ordered) {
        if (work > MOST_WORK) {
            advice.add("No single stronger access was found to be enough; the execution is too long to try all pairs.");
            return;
        }
        Map<Site, Mode> all = new LinkedHashMap<>();
        ordered.forEach(site -> all.put(site, Mode.VOLATILE));
        if (!isWrong(all)) {
            keepNeeded(all);
        } else if (verdict == Verdict.DATA_RACE) {
            advice.add(
                    "No stronger access is enough: nothing that could order the two accesses lies between them. Guard them by"
                            + " a lock, or hand them over by a release and an acquire.");
        } else {
            advice.add("No stronger access is enough: a fence is missing, or the algorithm itself allows it.");
        }
    }

    /** The weakest mode of a site with which the graph is not an error, given the modes of the other sites. */
    private @Nullable Mode weakest(Map<Site, Mode> changes, Site site) {
        Map<Site, Mode> tried = new LinkedHashMap<>(changes);
        for (Mode mode : site.stronger()) {
            tried.put(site, mode);
            if (!isWrong(tried)) {
                return mode;
            }
        }
        return changes.get(site);
    }

    /** Removes the changes that are not needed, one by one. Each remaining change is as weak as the others permit. */
    private void keepNeeded(Map<Site, Mode> all) {
        for (Site site : List.copyOf(all.keySet())) {
            Mode mode = all.remove(site);
            if (isWrong(all)) {
                all.put(site, mode);
            }
        }
        for (Site site : List.copyOf(all.keySet())) {
            all.put(site, weakest(all, site));
        }
        keep(all);
        advice.add("One or two stronger accesses are not enough.");
    }
}
