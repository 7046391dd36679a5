package dev.cqs.spi;

/** A {@link dev.cqs.Waiter} that brings something to the one who meets it. */
public interface Bringer<E> {
    /** What it brings, always the same; read as it enters, and by the one who has taken it out. */
    E brought();
}
