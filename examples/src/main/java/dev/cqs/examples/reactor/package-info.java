/** A third adapter, for Reactor. It uses the same public methods of the core as the adapters for threads and coroutines. */
package dev.cqs.examples.reactor;
