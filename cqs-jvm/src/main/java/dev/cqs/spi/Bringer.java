package dev.cqs.spi;

/** A {@link dev.cqs.Waiter} that brings something to the one who meets it. */
public interface Bringer<E> {
    /** What it brings; read by the one who has taken the waiter out. */
    E brought();
}
