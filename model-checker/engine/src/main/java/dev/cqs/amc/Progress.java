package dev.cqs.amc;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How far a check is.
 *
 * @param complete how many executions have been visited in which all threads end
 * @param blocked how many have been visited in which some thread is blocked
 * @param executionsPerSecond how many of both were visited per second, on the average
 * @param elapsed the time since the check has begun
 * @param estimatedTotal how many executions of both kinds there may be: a guess, made before the search by random walks
 *     through it, and mostly right within a factor of three. Empty if there is none, or if more have been visited.
 */
public record Progress(
        long complete, long blocked, double executionsPerSecond, Duration elapsed, OptionalLong estimatedTotal) {}
