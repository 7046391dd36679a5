/**
 * The primitives: one state word each, and no knowledge of how a caller waits. One object here serves threads,
 * virtual threads, coroutines and futures at once, in one first-in-first-out queue.
 */
package dev.cqs.sync;
