/**
 * Memory models: the consistency of execution graphs, and data races.
 *
 * <p>In: a graph, and the event that was added or moved last. Out: whether the graph is consistent, a lower bound on
 * the writes that an event may read from, and a racing pair of accesses. A model does not depend on the search. A new
 * model implements {@link dev.cqs.amc.models.MemoryModel}, whose comment states what the search requires of it.
 *
 * <p>RC11 is the model of Ori Lahav, Viktor Vafeiadis, Jeehoon Kang, Chung-Kil Hur and Derek Dreyer, "Repairing
 * Sequential Consistency in C/C++11", PLDI 2017, <a href="https://doi.org/10.1145/3062341.3062352">doi
 * 10.1145/3062341.3062352</a>. TSO is the x86-TSO of Scott Owens, Susmit Sarkar and Peter Sewell, "A Better x86 Memory
 * Model: x86-TSO", TPHOLs 2009, <a href="https://doi.org/10.1007/978-3-642-03359-9_27">doi
 * 10.1007/978-3-642-03359-9_27</a>, with the fences that HotSpot emits.
 */
@NullMarked
package dev.cqs.amc.models;

import org.jspecify.annotations.NullMarked;
