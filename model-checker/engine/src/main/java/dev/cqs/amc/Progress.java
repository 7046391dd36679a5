package dev.cqs.amc;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The progress of a check.
 *
 * @param complete the executions visited so far in which all threads end
 * @param blocked the executions visited so far in which some thread is blocked
 * @param executionsPerSecond the average of both per second
 * @param elapsed the time since the check began
 * @param estimatedTotal an estimate of the executions of both kinds, made before the search by random walks through it,
 *     and mostly right within a factor of three. Empty if there is none, or if more have been visited.
 */
public record Progress(
        long complete, long blocked, double executionsPerSecond, Duration elapsed, OptionalLong estimatedTotal) {}
