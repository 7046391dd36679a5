/**
 * The classic locks, as plain Java with variable handles, each access as weak as it may be. They are here to be compared with,
 * and to be read: the comment at each access says which one it pairs with, and the model checker of this project has
 * verified each lock and each comment.
 *
 * <table>
 * <caption>The locks</caption>
 * <tr><th>class</th><th>what it is</th><th>comes from</th><th>fair</th><th>good for</th></tr>
 * <tr><td>{@link dev.cqs.locks.CasLock}</td><td>a bit that all try to set</td><td>folklore</td>
 *     <td>no</td><td>hardly any waiting</td></tr>
 * <tr><td>{@link dev.cqs.locks.TtasLock}</td><td>the same, but waiters look before they try</td><td>Rudolph, Segall 1984</td>
 *     <td>no</td><td>little waiting</td></tr>
 * <tr><td>{@link dev.cqs.locks.TicketLock}</td><td>two counters</td><td>Reed, Kanodia 1979</td>
 *     <td>yes</td><td>little waiting, in order</td></tr>
 * <tr><td>{@link dev.cqs.locks.ArrayLock}</td><td>a ring of flags</td><td>Anderson 1990</td>
 *     <td>yes</td><td>many waiters, of whom the number is known</td></tr>
 * <tr><td>{@link dev.cqs.locks.McsLock}</td><td>a queue, each knows the next</td><td>Mellor-Crummey, Scott 1991</td>
 *     <td>yes</td><td>many waiters</td></tr>
 * <tr><td>{@link dev.cqs.locks.ClhLock}</td><td>a queue, each knows the one before</td><td>Craig 1993; Landin, Hagersten 1994</td>
 *     <td>yes</td><td>many waiters, and giving back in one write</td></tr>
 * <tr><td>{@link dev.cqs.locks.Hemlock}</td><td>a queue without nodes</td><td>Dice, Kogan 2021</td>
 *     <td>yes</td><td>many locks, few of them held at once</td></tr>
 * <tr><td>{@link dev.cqs.locks.TwaLock}</td><td>tickets, and an array to wait at</td><td>Dice, Kogan 2019</td>
 *     <td>yes</td><td>many small locks with many waiters</td></tr>
 * <tr><td>{@link dev.cqs.locks.CohortLock}</td><td>tickets for groups, a queue in each</td><td>Dice, Marathe, Shavit 2012</td>
 *     <td>in groups</td><td>several processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.HclhLock}</td><td>queues of groups, appended to one</td><td>Luchangco, Nussbaum, Shavit 2006</td>
 *     <td>in batches</td><td>several processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.CnaLock}</td><td>one queue, those far away are put aside</td><td>Dice, Kogan 2019</td>
 *     <td>in groups</td><td>several processors, and small locks</td></tr>
 * <tr><td>{@link dev.cqs.locks.QueuedSpinLock}</td><td>a bit, a first waiter and a queue in one word</td><td>Linux 4.2, 2015</td>
 *     <td>nearly</td><td>many small locks, threads with numbers</td></tr>
 * <tr><td>{@link dev.cqs.locks.RecursiveLock}</td><td>any of them, for its holder to take again</td><td>folklore</td>
 *     <td>as that one</td><td>calls back into guarded code</td></tr>
 * <tr><td>{@link dev.cqs.locks.SpinSemaphore}</td><td>a number of permits</td><td>Dijkstra 1965</td>
 *     <td>no</td><td>a bound on how many are inside</td></tr>
 * <tr><td>{@link dev.cqs.locks.SpinReadWriteLock}</td><td>a semaphore of which writers take all</td>
 *     <td>Courtois, Heymans, Parnas 1971</td>
 *     <td>no</td><td>long reads, few writes</td></tr>
 * <tr><td>{@link dev.cqs.locks.SequenceLock}</td><td>a number that shows that a writer was there</td><td>Linux 2.5.60, 2003</td>
 *     <td>no</td><td>short reads of little data, few writes</td></tr>
 * <tr><td>{@link dev.cqs.locks.MuslMutex}</td><td>one word, a futex</td><td>the C library musl</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.TristateMutex}</td><td>free, held, awaited, and a futex</td><td>Drepper 2004</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * <tr><td>{@link dev.cqs.locks.SlimMutex}</td><td>the same with exchanges</td><td>Drepper 2004</td>
 *     <td>no</td><td>more threads than processors</td></tr>
 * </table>
 *
 * <p>Fair is first come, first served. A fair lock whose waiters spin is slow as soon as there are more threads than
 * processors: the next one is often not running.
 */
package dev.cqs.locks;
