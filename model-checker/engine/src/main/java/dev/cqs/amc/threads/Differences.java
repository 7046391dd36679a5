package dev.cqs.amc.threads;

import dev.cqs.amc.Mode;
import dev.cqs.amc.NondeterministicProgramException;
import dev.cqs.amc.check.EventText;
import dev.cqs.amc.check.Subject;
import dev.cqs.amc.graph.Event;
import dev.cqs.amc.graph.Kind;
import java.util.Locale;

/** The messages for a thread that does something else than before, although it has read the same values. */
final class Differences {

    private Differences() {}

    /** A thread does {@code now} at this site, where it did {@code before} in an earlier run. */
    static NondeterministicProgramException inOperation(Subject subject, Event before, String now, int site) {
        return new NondeterministicProgramException(subject.threadName(before.thread) + " " + now + place(subject, site)
                + " as its operation " + (before.index + 1) + ", where it has done " + EventText.of(subject, before)
                + place(subject, before.site) + " before, having read the same values.");
    }

    /** A thread ends, where it continued with {@code before} in an earlier run. */
    static NondeterministicProgramException atEnd(Subject subject, Event before) {
        return new NondeterministicProgramException(
                subject.threadName(before.thread) + " ends, where it has gone on with " + EventText.of(subject, before)
                        + place(subject, before.site) + " before, having read the same values.");
    }

    /** The operation of a thread in words. */
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
