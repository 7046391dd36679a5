/**
 * The classic locks, in plain Java with variable handles. Each access has the weakest mode that is correct, and its
 * comment names the access that it pairs with. They are the corpus of the model checker, which verifies each lock and
 * shows that no access can be weaker, and a baseline for benchmarks.
 *
 * <table>
 * <caption>The locks</caption>
 * <tr><th>class</th><th>what it is</th><th>comes from</th><th>fair</th><th>good for</th></tr>
 * <tr><td>{@link dev.cqs.locks.CasLock}</td><td>a bit that all threads try to set</td><td>folklore</td>
 *     <td>no</td><td>hardly any waiting</td></tr>
 * <tr><td>{@link dev.cqs.locks.TtasLock}</td><td>the same, but waiters read before they try</td><td>Rudolph, Segall
 *     1984</td> <td>no</td><td>little waiting</td></tr>
 * <tr><td>{@link dev.cqs.locks.TicketLock}</td><td>two counters</td><td>Reed, Kanodia 1979</td>
 *     <td>yes</td><td>little waiting, in order</td></tr>
 * <tr><td>{@link dev.cqs.locks.ArrayLock}</td><td>a ring of flags</td><td>Anderson 1990</td> <td>yes</td><td>many
 *     waiters, whose number is known</td></tr>
 * <tr><td>{@link dev.cqs.locks.McsLock}</td><td>a queue, each node knows its successor</td><td>Mellor-Crummey, Scott
 *     1991</td> <td>yes</td><td>many waiters</td></tr>
 * <tr><td>{@link dev.cqs.locks.ClhLock}</td><td>a queue, each node knows its predecessor</td><td>Craig 1993; Magnusson,
 *     Landin, Hagersten 1994</td> <td>yes</td><td>many waiters, release by one write</td></tr>
 * <tr><td>{@link dev.cqs.locks.Hemlock}</td><td>a queue without nodes</td><td>Dice, Kogan 2021</td>
 *     <td>yes</td><td>many locks, few of them held at once</td></tr>
 * <tr><td>{@link dev.cqs.locks.TwaLock}</td><td>tickets, and a waiting array</td><td>Dice, Kogan 2019</td>
 *     <td>yes</td><td>many small locks with many waiters</td></tr>
 * <tr><td>{@link dev.cqs.locks.CohortLock}</td><td>tickets for groups, a queue in each</td><td>Dice, Marathe, Shavit
 *     2012</td> <td>in groups</td><td>several processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.HclhLock}</td><td>queues of groups, spliced into one</td><td>Luchangco, Nussbaum, Shavit
 *     2006</td> <td>in batches</td><td>several processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.CnaLock}</td><td>one queue, remote waiters are deferred</td><td>Dice, Kogan 2019</td>
 *     <td>in groups</td><td>several processors, and small locks</td></tr>
 * <tr><td>{@link dev.cqs.locks.QueuedSpinLock}</td><td>a bit, a first waiter and a queue in one word</td><td>Linux 4.2,
 *     2015</td> <td>nearly</td><td>many small locks, threads with numbers</td></tr>
 * <tr><td>{@link dev.cqs.locks.RecursiveLock}</td><td>makes any of them reentrant</td><td>folklore</td> <td>as that
 *     one</td><td>callbacks into guarded code</td></tr>
 * <tr><td>{@link dev.cqs.locks.SpinSemaphore}</td><td>a number of permits</td><td>Dijkstra 1965</td> <td>no</td><td>a
 *     bound on concurrency</td></tr>
 * <tr><td>{@link dev.cqs.locks.SpinReadWriteLock}</td><td>a semaphore from which writers take all permits</td>
 *     <td>Courtois, Heymans, Parnas 1971</td> <td>no</td><td>long reads, few writes</td></tr>
 * <tr><td>{@link dev.cqs.locks.SequenceLock}</td><td>a sequence number that reveals writers</td><td>Linux 2.5.60,
 *     2003</td> <td>no</td><td>short reads of little data, few writes</td></tr>
 * <tr><td>{@link dev.cqs.locks.MuslMutex}</td><td>one word, a futex</td><td>the C library musl</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.TristateMutex}</td><td>free, held, awaited, and a futex</td><td>Drepper 2004</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.SlimMutex}</td><td>the same with exchanges</td><td>Drepper 2004</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * </table>
 *
 * <p>Fair means FIFO order. A fair lock whose waiters spin is slow when there are more threads than processors: the
 * next thread is often not running.
 *
 * <p>The papers:
 * <ul>
 * <li>Larry Rudolph, Zary Segall, "Dynamic Decentralized Cache Schemes for MIMD Parallel Processors", ISCA 1984, ACM
 *     SIGARCH Computer Architecture News 12 (3), doi 10.1145/773453.808203.
 * <li>David P. Reed, Rajendra K. Kanodia, "Synchronization with Eventcounts and Sequencers", Communications of the ACM
 *     22 (1979), doi 10.1145/359060.359076.
 * <li>Thomas E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors", IEEE
 *     Transactions on Parallel and Distributed Systems 1 (1990), doi 10.1109/71.80120.
 * <li>John M. Mellor-Crummey, Michael L. Scott, "Algorithms for Scalable Synchronization on Shared-Memory
 *     Multiprocessors", ACM Transactions on Computer Systems 9 (1991), doi 10.1145/103727.103729.
 * <li>Travis S. Craig, "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap", technical report 93-02-02,
 *     University of Washington, 1993.
 * <li>Peter Magnusson, Anders Landin, Erik Hagersten, "Queue Locks on Cache Coherent Multiprocessors", IPPS 1994, doi
 *     10.1109/IPPS.1994.288305.
 * <li>Dave Dice, Alex Kogan, "Hemlock: Compact and Scalable Mutual Exclusion", SPAA 2021, doi 10.1145/3409964.3461805.
 * <li>Dave Dice, Alex Kogan, "TWA – Ticket Locks Augmented with a Waiting Array", Euro-Par 2019, doi
 *     10.1007/978-3-030-29400-7_24.
 * <li>Dave Dice, Virendra J. Marathe, Nir Shavit, "Lock Cohorting: A General Technique for Designing NUMA Locks", PPoPP
 *     2012, doi 10.1145/2145816.2145848.
 * <li>Victor Luchangco, Dan Nussbaum, Nir Shavit, "A Hierarchical CLH Queue Lock", Euro-Par 2006, doi
 *     10.1007/11823285_84.
 * <li>Dave Dice, Alex Kogan, "Compact NUMA-Aware Locks", EuroSys 2019, doi 10.1145/3302424.3303984.
 * <li>Pierre-Jacques Courtois, Frans Heymans, David L. Parnas, "Concurrent Control with 'Readers' and 'Writers'",
 *     Communications of the ACM 14 (1971), doi 10.1145/362759.362813.
 * <li>Hans-J. Boehm, "Can Seqlocks Get Along with Programming Language Memory Models?", MSPC 2012, doi
 *     10.1145/2247684.2247688.
 * <li>Ulrich Drepper, "Futexes Are Tricky", 2004.
 * <li>Edsger W. Dijkstra, "Cooperating Sequential Processes", manuscript EWD 123, 1965.
 * </ul>
 */
@NullMarked
package dev.cqs.locks;

import org.jspecify.annotations.NullMarked;
