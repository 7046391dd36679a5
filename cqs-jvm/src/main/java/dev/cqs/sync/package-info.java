/**
 * The primitives: one state word each, and no knowledge of how a caller waits. One object here serves threads,
 * virtual threads, coroutines and futures at once, in one FIFO queue.
 */
@NullMarked
package dev.cqs.sync;

import org.jspecify.annotations.NullMarked;
