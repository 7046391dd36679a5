package dev.cqs.spi;

/** Handed to a {@link dev.cqs.Waiter} in the place of what it waits for, when it will not get that. */
public sealed interface Failure permits Closing, Refusal {
    /** For one who waited or asked: each gets an exception with a stack of its own. */
    RuntimeException exception();
}
