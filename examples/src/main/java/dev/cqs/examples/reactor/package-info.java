/** A third adapter, for Reactor, on the same public calls as those for threads and coroutines. */
package dev.cqs.examples.reactor;
