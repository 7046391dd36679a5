package dev.cqs.amc.diagnosis;

import dev.cqs.amc.check.Failure;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Clock;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Graph;
import dev.cqs.amc.graph.Kind;
import dev.cqs.amc.threads.StackFrames;
import dev.cqs.amc.threads.ThreadRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Explains in sentences why a graph is wrong. */
final class Reasons {

    /** A path can have many reads that do not synchronize. */
    private static final int MOST_GAPS = 3;

    private final Subject subject;
    private final Graph graph;
    private final TraceNarrative narrative;
    private final Map<Event, String> places;
    private final List<String> reasons = new ArrayList<>();

    private Reasons(Subject subject, Graph graph, TraceNarrative narrative, Map<Event, String> places) {
        this.places = places;
        this.subject = subject;
        this.graph = graph;
        this.narrative = narrative;
    }

    static List<String> of(
            Subject subject,
            Graph graph,
            TraceNarrative narrative,
            Map<Event, String> places,
            ThreadRun[] threads,
            Failure failure) {
        Reasons reasons = new Reasons(subject, graph, narrative, places);
        switch (failure.verdict()) {
            case DATA_RACE ->
                reasons.race(failure.events().get(0), failure.events().get(1));
            case HANG -> reasons.hang(threads);
            case PLAIN_SPIN ->
                reasons.reasons.add(reasons.number(failure.events().get(0))
                        + " is plain, and nothing in the loop keeps the" + " compiler from reading once.");
            default -> {
                if (failure.cause() != null) {
                    reasons.thrown(failure.cause());
                }
            }
        }
        return reasons.reasons;
    }

    private String number(Event event) {
        return "#" + narrative.number(event);
    }

    private String thread(Event event) {
        return subject.threadName(event.thread);
    }

    // Races

    private void race(Event one, Event other) {
        reasons.add(number(one) + " of " + thread(one) + " and " + number(other) + " of " + thread(other) + " access "
                + subject.locationName(one.location)
                + ", and no path of program order and synchronization leads from one to the other.");
        Event earlier = Clock.has(one.prefix, other) ? other : one;
        Event later = earlier == one ? other : one;
        int gaps = 0;
        for (TraceNarrative.Part part : narrative.steps()) {
            for (Event event : part.events) {
                if (event.isRead() && gaps < MOST_GAPS && isGap(earlier, event, later)) {
                    gap(event);
                    gaps++;
                }
            }
        }
    }

    /**
     * Whether a path from {@code from} to {@code to} passes the reads-from edge into {@code read}, and the edge does
     * not synchronize.
     */
    private boolean isGap(Event from, Event read, Event to) {
        Event source = read.source;
        if (source.thread < 0 || source.thread == read.thread || read.isPlain() || source.isPlain()) {
            return false;
        }
        return Clock.has(source.prefix, from)
                && Clock.has(to.prefix, read)
                && (source.message == null || !read.mode.acquires() && !isFenceBetween(read, to));
    }

    private boolean isFenceBetween(Event read, Event to) {
        for (int i = read.index + 1; i < to.prefix[read.thread]; i++) {
            Event event = graph.event(read.thread, i);
            if (event.kind == Kind.FENCE && event.mode.acquires()) {
                return true;
            }
        }
        return false;
    }

    private void gap(Event read) {
        Event source = read.source;
        String words = number(read) + " reads from " + number(source) + ", but does not synchronize with it: ";
        reasons.add(words
                + (source.message == null
                        ? "the write is " + mode(source) + ", and no release fence comes before it."
                        : "the read is " + mode(read) + ", and no acquire fence follows it before the race."));
    }

    private static String mode(Event event) {
        return event.mode.name().toLowerCase(Locale.ROOT);
    }

    // Hangs

    private void hang(ThreadRun[] threads) {
        for (ThreadRun thread : threads) {
            if (thread.awaitedEnd() >= 0) {
                reasons.add(subject.threadName(thread.id()) + " waits for the end of "
                        + subject.threadName(thread.awaitedEnd()) + ".");
            } else if (thread.status().isAwaiting()) {
                await(thread);
            }
        }
    }

    private void await(ThreadRun thread) {
        int before = reasons.size();
        for (int i = thread.iterationBegin(); i < graph.length(thread.id()); i++) {
            Event event = graph.event(thread.id(), i);
            // The reads of a monitor and of its wait set model waiting itself, so they explain nothing.
            if (event.isRead() && !event.paired && !event.waitSet) {
                poll(event);
            }
        }
        if (reasons.size() == before) {
            reasons.add(subject.threadName(thread.id())
                    + " waits in a loop that reads nothing that other threads could write.");
        }
    }

    private void poll(Event read) {
        String place = places.get(read);
        StringBuilder words = new StringBuilder(thread(read))
                .append(" waits")
                .append(place == null ? "" : " at " + place)
                .append(": ")
                .append(number(read))
                .append(" polls ")
                .append(subject.locationName(read.location))
                .append(", and gets ")
                .append(value(read))
                .append(
                        read.source.thread < 0
                                ? ", the initial value. "
                                : ", written by " + number(read.source) + ". ");
        words.append(
                read.source.thread < 0 && graph.nextInCoherence(read.source) == null
                        ? "No thread writes to it."
                        : "No later write to it follows.");
        for (int i = 1; i < read.source.order; i++) {
            Event lost = graph.write(read.location, i);
            if (lost.value != read.value && lost.thread != read.thread) {
                boolean free = !Clock.has(read.source.before, lost);
                words.append(' ')
                        .append(number(lost))
                        .append(" writes ")
                        .append(value(lost))
                        .append(", but precedes ")
                        .append(number(read.source))
                        .append(" in coherence order")
                        .append(free ? ", though it does not happen before it" : "")
                        .append(", so it is never read.");
            }
        }
        reasons.add(words.toString());
    }

    private String value(Event event) {
        return subject.valueName(event.location, event.value);
    }

    // Exceptions

    private void thrown(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            reasons.add((at == cause ? "" : "Caused by ") + at);
            for (StackTraceElement frame : at.getStackTrace()) {
                if (StackFrames.isOutermost(frame)) {
                    break;
                }
                if (!StackFrames.isOurs(frame)) {
                    reasons.add("    at " + frame.getClassName() + "." + frame.getMethodName() + " ("
                            + StackFrames.place(frame) + ")");
                }
            }
        }
    }
}
