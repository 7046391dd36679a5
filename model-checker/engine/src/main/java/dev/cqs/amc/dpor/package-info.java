/**
 * Dynamic partial-order reduction (DPOR): enumerates the consistent execution graphs, each exactly once.
 *
 * <p>In: events, from the runs of threads. Out: the graph with the event added, and work items on the stack of its
 * frame: the other writes that a read can read from (rf), the other positions that a write can have in coherence order
 * (co), and the earlier reads that a write revisits (backward revisits). The search pops the work items.
 *
 * <p>The algorithm is TruSt: Michalis Kokologiannakis, Iason Marmanis, Vladimir Gladstein and Viktor Vafeiadis, "Truly
 * Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022, <a href="https://doi.org/10.1145/3498711">doi
 * 10.1145/3498711</a>. {@link dev.cqs.amc.dpor.SymmetryReduction} handles two symmetric threads, and its comment has
 * the argument; for any number see Michalis Kokologiannakis, Iason Marmanis and Viktor Vafeiadis, "SPORE: Combining
 * Symmetry and Partial Order Reduction", PLDI 2024, <a href="https://doi.org/10.1145/3656449">doi 10.1145/3656449</a>.
 * Two things here are not in the papers. The next step of a thread is memoized by its history ({@link
 * dev.cqs.amc.dpor.Histories}). Accesses to an object that has not escaped its thread are not events of the graph
 * ({@link dev.cqs.amc.dpor.FreshObjects}).
 */
@NullMarked
package dev.cqs.amc.dpor;

import org.jspecify.annotations.NullMarked;
