package dev.cqs.amc.threads;

import dev.cqs.amc.Mode;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.check.EventText;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Kind;
import java.util.Locale;

/** What to say of a thread that does something else than before, though it has read the same. */
final class Differences {

    private Differences() {}

    /** A thread does {@code now}, at this place, where it has done something else before. */
    static NondeterministicProgramException inOperation(Subject subject, Event before, String now, int site) {
        return new NondeterministicProgramException(subject.threadName(before.thread) + " " + now + place(subject, site)
                + " as its operation " + (before.index + 1) + ", where it has done " + EventText.of(subject, before)
                + place(subject, before.site) + " before, having read the same values.");
    }

    /** A thread ends where it has gone on before. */
    static NondeterministicProgramException atEnd(Subject subject, Event before) {
        return new NondeterministicProgramException(
                subject.threadName(before.thread) + " ends, where it has gone on with " + EventText.of(subject, before)
                        + place(subject, before.site) + " before, having read the same values.");
    }

    /** What a thread does now, in words. */
    static String words(Subject subject, Kind kind, int location, Mode mode) {
        String words =
                "a " + mode.name().toLowerCase(Locale.ROOT) + " " + kind.name().toLowerCase(Locale.ROOT);
        return location < 0 ? words : words + " of " + subject.locationName(location);
    }

    private static String place(Subject subject, int site) {
        String place = subject.placeName(site);
        return place == null ? "" : " (" + place + ")";
    }
}
