/**
 * Dynamic partial-order reduction: which graphs there are to visit, each once.
 *
 * <p>In: events, from the runs of threads. Out: the graph with the event in it, and on the stack of its frame the options that the
 * event leaves: other sources of a read, other places of a write, and the earlier reads that a write revisits. The search takes
 * them from there.
 *
 * <p>The algorithm is TruSt: Michalis Kokologiannakis, Iason Marmanis, Vladimir Gladstein and Viktor Vafeiadis, "Truly Stateless,
 * Optimal Dynamic Partial Order Reduction", POPL 2022, <a href="https://doi.org/10.1145/3498711">doi 10.1145/3498711</a>. {@link
 * dev.cqs.amc.dpor.SymmetryReduction} is for two threads, and argues for itself; the general case is in Michalis Kokologiannakis, Iason
 * Marmanis and Viktor Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI 2024,
 * <a href="https://doi.org/10.1145/3656449">doi 10.1145/3656449</a>. Beyond the papers, what a thread does is remembered by its
 * history, and objects that no other thread knows stay out of the graph.
 */
@NullMarked
package dev.cqs.amc.dpor;

import org.jspecify.annotations.NullMarked;
