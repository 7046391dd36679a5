/**
 * An await model checker: give it a small concurrent program, and it runs the program in every execution that a
 * memory model allows. It answers that none of them fails, races or hangs, or shows one that does.
 *
 * <h2>A worked example</h2>
 *
 * A writer hands data to a reader through a flag. Does the reader see the data, and does it ever wait forever?
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
 * The flag is set opaquely, which orders nothing, so the answer is:
 *
 * <pre>
 * data race in message passing under RC11
 * Two accesses of data, of which one is plain and one writes, and neither happens before the other.
 * Model: RC11. Loops with effects are repeated 3 times at most.
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
 *   This is also possible under sequential consistency: an ordinary schedule, in which the steps happen as they are listed.
 *   This very execution is wrong under SC, TSO, JLS and RC11.
 *   What happens before what is the same in all of them, so a race is one whatever the machine does.
 *
 * What would repair it
 *   Making #2 (write.opaque ready = 1) a release puts the two accesses of this race in order.
 * </pre>
 *
 * With {@code setRelease} it is verified, with one execution. Without the write to {@code ready} it hangs.
 * {@link dev.cqs.amc.CounterExample#svg()} draws the same; {@link dev.cqs.amc.CounterExample#replay()} records it, and
 * {@link dev.cqs.amc.AwaitModelChecker#replay(dev.cqs.amc.Program, String)} runs it again, under a debugger for example.
 *
 * <h2>How to write a program for it</h2>
 *
 * <ul>
 * <li>Keep it small: two to four threads, one or two operations each. The number of executions grows fast.
 * <li>Wait by {@link dev.cqs.amc.ModelThread#await(java.util.function.BooleanSupplier) await}. A loop of your own that
 *     spins is cut off at a bound, and the verdict says so.
 * <li>Let what a lock protects be plain, so that a missing order is a data race.
 * <li>Observe values to have the outcomes counted, or check them.
 * </ul>
 *
 * <h2>What a verdict means</h2>
 *
 * A verdict is about one program under one {@link dev.cqs.amc.Model}, with the bounds that the
 * {@link dev.cqs.amc.Result} names. No model here shows load buffering, in which a read takes effect after a later
 * write of its thread; what a lock protects is covered all the same as long as it is plain, because an order that is
 * too weak for it is a data race then. A plain access that races is an error, so what it would see is not explored.
 *
 * <h2>How it works inside</h2>
 *
 * The stages, each a package whose description says what flows in and out; none of them depends on one further down, but that
 * all use the vocabulary of this package, and {@link dev.cqs.amc.AwaitModelChecker} and {@link dev.cqs.amc.CounterExample} call them:
 *
 * <table>
 * <caption>The stages</caption>
 * <tr><th>package</th><th>holds</th></tr>
 * <tr><td>{@code graph}</td><td>execution graphs</td></tr>
 * <tr><td>{@code models}</td><td>memory models, and races</td></tr>
 * <tr><td>{@code check}</td><td>what a check is about, and what it finds</td></tr>
 * <tr><td>{@code replay}</td><td>executions that are written down</td></tr>
 * <tr><td>{@code bytecode.classes}, {@code heap}, {@code loops}</td><td>class files, memory and loops of a scenario</td></tr>
 * <tr><td>{@code dpor}</td><td>which graphs there are to visit</td></tr>
 * <tr><td>{@code liveness}</td><td>waiting, and hangs</td></tr>
 * <tr><td>{@code threads}</td><td>runs of threads</td></tr>
 * <tr><td>{@code bytecode.runtime}</td><td>what instrumented code calls</td></tr>
 * <tr><td>{@code bytecode.rewrite}</td><td>instrumentation</td></tr>
 * <tr><td>{@code program}</td><td>the front end for programs</td></tr>
 * <tr><td>{@code diagnosis}</td><td>why an execution is wrong</td></tr>
 * <tr><td>{@code search}</td><td>the main loop</td></tr>
 * <tr><td>{@code bytecode.scenario}</td><td>the front end for scenario classes</td></tr>
 * <tr><td>{@code report}, {@code cli}</td><td>counter-examples as pictures, the command</td></tr>
 * <tr><td>{@code jdk}</td><td>models of JDK classes</td></tr>
 * </table>
 */
@NullMarked
package dev.cqs.amc;

import org.jspecify.annotations.NullMarked;
