/**
 * Benchmarks of the library beside its peers. Each benchmark class is the work of one group of rows, and says what it measures
 * and what it does not. The floor plan:
 *
 * <ul>
 *   <li>the program: {@link dev.cqs.benchmarks.Figures}; {@code Row} with {@code PrimitiveRows}, {@code CoroutineRows} and
 *       {@code SynchronousQueueRows}; {@code Work}; the profilers {@code Pinned} and {@code Scaling}; {@code Footprint} and
 *       {@code SmallestHeap}, which count bytes
 *   <li>locks and semaphores: {@code Uncontended}, {@code TwoThreads}, {@code PermitHandOff}, {@code TimedOut},
 *       {@code PastCancelled}, {@code ReadWrite}
 *   <li>latch, barrier, condition: {@code CountDown}, {@code LatchLife}, {@code BarrierRound}, {@code ConditionPingPong}
 *   <li>pools: {@code Pools} and {@code PoolHandOff}, {@code PoolTwoThreads}, {@code Borrow}
 *   <li>synchronous queues: {@code SynchronousQueues} and {@code Transfer}, {@code Impatient}, {@code ExecutorTasks}
 *   <li>coroutines: {@code CoroutineUncontended}, {@code CoroutineContended}, {@code CoroutinePastCancelled},
 *       {@code CoroutineTransfer}, and the Kotlin files
 * </ul>
 */
package dev.cqs.benchmarks;
