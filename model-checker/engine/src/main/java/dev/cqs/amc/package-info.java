/**
 * An await model checker. It runs a small concurrent program in every execution that a memory model allows. The result
 * is that no execution fails, races or hangs, or a counter-example.
 *
 * <h2>A worked example</h2>
 *
 * A writer passes data to a reader through a flag. Does the reader see the data, and does it terminate?
 *
 * <pre>{@code
 * Program messagePassing = Program.define("message passing", p -> {
 *     Variable data = p.variable("data");
 *     Variable ready = p.variable("ready");
 *     p.thread("writer", t -> {
 *         t.set(data, 42);
 *         t.setOpaque(ready, 1);
 *     });
 *     p.thread("reader", t -> {
 *         t.await(ready, Mode.ACQUIRE, seen -> seen == 1);
 *         t.check(t.get(data) == 42, "the reader sees the data");
 *     });
 * });
 * System.out.println(AwaitModelChecker.under(Model.RC11).check(messagePassing));
 * }</pre>
 *
 * The flag is written in opaque mode, which orders nothing. The result is:
 *
 * <pre>
 * data race in message passing under RC11
 * Two accesses of data, of which one is plain and one writes, and neither happens before the other.
 * Model: RC11. Loops with side effects are repeated 3 times at most.
 *
 * writer                             reader
 * #1! write.plain data = 42  (Example.java:5)
 * #2 write.opaque ready = 1  (Example.java:6)
 *                                    #3 read.acquire ready = 1 ← #2  (Example.java:9)
 *                                    #4! read.plain data = 42 ← #1  (Example.java:10)
 *
 * What is wrong
 *   #1 of writer and #4 of reader access data, and no path of program order and synchronization leads from one to the other.
 *   #3 reads from #2, but does not synchronize with it: the write is opaque, and no release fence comes before it.
 *
 * Where it can happen
 *   This execution is also sequentially consistent: an interleaving, in the order in which the steps are listed.
 *   The same execution is wrong under SC, TSO, JLS and RC11.
 *   Happens-before is the same in all models, so a data race is one under each of them.
 *
 * What would repair it
 *   Making #2 (write.opaque ready = 1) a release puts the two accesses of this race in order.
 * </pre>
 *
 * With {@code setRelease} the program is verified, in one execution. Without the write to {@code ready} it hangs.
 * {@link dev.cqs.amc.CounterExample#svg()} draws the counter-example. {@link dev.cqs.amc.CounterExample#replay()}
 * records it, and {@link dev.cqs.amc.AwaitModelChecker#replay(dev.cqs.amc.Program, String)} runs it again, for example
 * under a debugger.
 *
 * <h2>How to write a program for it</h2>
 *
 * <ul>
 * <li>Keep it small: two to four threads, one or two operations each. The number of executions grows fast.
 * <li>Wait by {@link dev.cqs.amc.ModelThread#await(java.util.function.BooleanSupplier) await}. The checker unrolls any
 *     other loop up to a bound, and the verdict says so.
 * <li>Access what a lock protects in plain mode, so that a missing synchronizes-with edge is a data race.
 * <li>Check values, or observe them: the result counts how many executions have each outcome.
 * </ul>
 *
 * <h2>What a verdict means</h2>
 *
 * A verdict holds for one program under one {@link dev.cqs.amc.Model}, up to the bounds that the
 * {@link dev.cqs.amc.Result} names. No model here allows load buffering, in which a read takes effect after a later
 * write of its thread: program order and reads-from together have no cycle. Data that a lock protects is still covered
 * if its accesses are plain: an order that is too weak is then a data race. A data race is an error, so the values that
 * a racy access may read are not explored.
 *
 * <h2>How it works inside</h2>
 *
 * Each stage is a package, whose description says what flows in and out. No stage depends on one further down. All use
 * the types of this package, and {@link dev.cqs.amc.AwaitModelChecker} and {@link dev.cqs.amc.CounterExample} call
 * them:
 *
 * <table>
 * <caption>The stages</caption>
 * <tr><th>package</th><th>holds</th></tr>
 * <tr><td>{@code graph}</td><td>execution graphs</td></tr>
 * <tr><td>{@code models}</td><td>memory models, and races</td></tr>
 * <tr><td>{@code check}</td><td>subject, options and findings of a check</td></tr>
 * <tr><td>{@code replay}</td><td>recorded executions</td></tr>
 * <tr><td>{@code bytecode.classes}, {@code heap}, {@code loops}</td><td>class files, heap and loops of a
 * scenario</td></tr>
 * <tr><td>{@code dpor}</td><td>partial-order reduction: the graphs to visit</td></tr>
 * <tr><td>{@code liveness}</td><td>awaits and hangs</td></tr>
 * <tr><td>{@code threads}</td><td>runs of threads</td></tr>
 * <tr><td>{@code bytecode.runtime}</td><td>the hooks that instrumented code calls</td></tr>
 * <tr><td>{@code bytecode.rewrite}</td><td>instrumentation</td></tr>
 * <tr><td>{@code program}</td><td>the front end for programs</td></tr>
 * <tr><td>{@code diagnosis}</td><td>explanations and repairs</td></tr>
 * <tr><td>{@code search}</td><td>the main loop</td></tr>
 * <tr><td>{@code bytecode.scenario}</td><td>the front end for scenario classes</td></tr>
 * <tr><td>{@code report}, {@code cli}</td><td>rendering of counter-examples, the command line</td></tr>
 * <tr><td>{@code jdk}</td><td>models of JDK classes</td></tr>
 * </table>
 */
@NullMarked
package dev.cqs.amc;

import org.jspecify.annotations.NullMarked;
