/**
 * The view for Java threads, platform and virtual: classes with the shape and the contract of those in {@code
 * java.util.concurrent}, always fair but for one kind of {@link dev.cqs.threads.SynchronousQueue}, over the primitives of
 * {@link dev.cqs.sync}. Here is how a thread waits: parking, timeouts and interrupts; who is next is decided there.
 */
package dev.cqs.threads;
