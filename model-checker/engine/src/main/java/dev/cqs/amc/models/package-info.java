/**
 * Memory models: which execution graphs there are, and which accesses race.
 *
 * <p>In: a graph, and the event that has been added or moved last. Out: whether the graph is consistent, what an event has
 * seen, and two accesses that race. A model knows nothing of a search; {@link dev.cqs.amc.models.MemoryModel} says what a
 * search asks of it. A new model is one more implementation of that interface.
 *
 * <p>RC11 is that of Ori Lahav, Viktor Vafeiadis, Jeehoon Kang, Chung-Kil Hur and Derek Dreyer, "Repairing Sequential Consistency in
 * C/C++11", PLDI 2017, <a href="https://doi.org/10.1145/3062341.3062352">doi 10.1145/3062341.3062352</a>. Total store order is
 * x86-TSO of Scott Owens, Susmit Sarkar and Peter Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009,
 * <a href="https://doi.org/10.1007/978-3-642-03359-9_27">doi 10.1007/978-3-642-03359-9_27</a>, with the fences that HotSpot puts in.
 */
@NullMarked
package dev.cqs.amc.models;

import org.jspecify.annotations.NullMarked;
