/**
 * The view for Java threads, platform and virtual: classes with the shape and the contract of their namesakes in {@code
 * java.util.concurrent}, over the primitives of {@link dev.cqs.sync}. All are fair, except for one kind of {@link
 * dev.cqs.threads.SynchronousQueue}. This package decides how a thread waits: parking, timeouts and interrupts. The
 * primitives decide which waiter is next.
 */
@NullMarked
package dev.cqs.threads;

import org.jspecify.annotations.NullMarked;
