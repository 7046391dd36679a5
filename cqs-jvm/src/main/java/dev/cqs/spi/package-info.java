/**
 * What the adapters, and they alone, need of those of our own primitives that are not yet waited for by one public call: the
 * steps of waiting, and what both sides need to understand each other.
 */
package dev.cqs.spi;
