package dev.cqs.amc.engine;

import dev.cqs.amc.Verdict;
import java.util.List;

/** Why the exploration has stopped: what is wrong with the graph it has stopped at. */
record Failure(Verdict verdict, String message, List<Event> events, Throwable cause) {
}
