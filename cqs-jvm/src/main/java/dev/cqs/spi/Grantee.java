package dev.cqs.spi;

/**
 * The record of a mutex that was handed to a waiter under a token, until it is known whether the owner of the waiter
 * takes it.
 */
public interface Grantee {
    /** What the owner of the waiter names itself by. */
    Object token();

    /** Whether the owner has got the mutex: not before it is resumed, and not if it was cancelled before that. */
    boolean holds();
}
