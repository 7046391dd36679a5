package dev.cqs.modelchecked.primitives;

import static dev.cqs.modelchecked.primitives.Case.upTo;
import static dev.cqs.modelchecked.primitives.Case.whole;

import java.util.List;
import java.util.stream.Stream;

/** The cases of each primitive. */
final class Cases {

    private static final String NODE = "dev.cqs.UnfairRendezvous$Node.waiter";
    private static final String RUNNER = "dev.cqs.sync.CyclicBarrier.runner";
    private static final String FIRST_READER = "dev.cqs.sync.ReadWriteOwnership.firstReader";

    // The slowest cases are last in each list, because a defect is checked in the order of its list.

    static final List<Case> RENDEZVOUS = List.of(
            whole(RendezvousCases.FairPutTake.class),
            whole(RendezvousCases.UnfairPutTake.class),
            whole(RendezvousCases.FairBothLeave.class),
            whole(RendezvousCases.UnfairBothLeave.class),
            upTo(38, RendezvousCases.FairLeaveAndPoll.class),
            whole(RendezvousCases.UnfairLeaveAndPoll.class),
            whole(RendezvousCases.FairCancelledByTwo.class),
            whole(RendezvousCases.UnfairCancelledByTwo.class),
            whole(RendezvousCases.FairReplaceAndPoll.class),
            whole(RendezvousCases.UnfairReplaceAndPoll.class),
            whole(RendezvousCases.UnfairReplaceOverOneAndPoll.class),
            whole(RendezvousCases.FairLineAndOffers.class),
            whole(RendezvousCases.UnfairLineAndOffers.class),
            whole(RendezvousCases.FairLineAndPolls.class),
            whole(RendezvousCases.UnfairLineAndPolls.class),
            whole(RendezvousCases.FairTwoAndTwoPolls.class),
            whole(RendezvousCases.UnfairTwoAndTwoPolls.class),
            whole(RendezvousCases.FairTwoAndTwo.class),
            whole(RendezvousCases.UnfairTwoAndTwo.class),
            whole(RendezvousCases.FairLeaveFromTheMiddle.class),
            whole(RendezvousCases.UnfairLeaveFromTheMiddle.class));

    static final List<Case> NUMBERED_QUEUES = List.of(
            whole(NumberedQueues.TwoRounds.class),
            whole(NumberedQueues.OneLeaves.class),
            whole(NumberedQueues.Ahead.class));

    static final List<Case> SEMAPHORES = List.of(
            upTo(55, Semaphores.TwoTakeTurns.class), upTo(50, Semaphores.ComesBehindOne.class),
            upTo(55, Semaphores.WaitsForSomeTime.class), upTo(50, Semaphores.IsInterrupted.class),
            whole(Semaphores.LineIsServed.class),
                    whole(Semaphores.ReleaseTooMany.class).withoutWaiters());

    static final List<Case> WEIGHTED_SEMAPHORES = List.of(
            whole(WeightedSemaphores.TwoBesideOne.class),
            whole(WeightedSemaphores.TwoWhileOneIsOut.class),
            upTo(130, WeightedSemaphores.HeadLeavesOrFits.class),
            whole(WeightedSemaphores.HeadLeaves.class),
            whole(WeightedSemaphores.HeadOfUnitModeLeaves.class),
            upTo(60, WeightedSemaphores.TwoForSomeTime.class),
            whole(WeightedSemaphores.Grows.class),
            whole(WeightedSemaphores.Shrinks.class).withoutWaiters(),
            whole(WeightedSemaphores.Closes.class),
            upTo(130, WeightedSemaphores.LineCloses.class));

    static final List<Case> LOCKS = List.of(
            upTo(55, Locks.MutexOfTwo.class),
            upTo(60, Locks.EntersAgain.class),
            upTo(50, Locks.TriesForSomeTime.class),
            whole(Locks.TriesTwice.class).withoutWaiters(),
            upTo(50, Locks.IsInterrupted.class),
            whole(Locks.LineIsServed.class),
            whole(Locks.Closes.class),
            whole(Locks.OneToken.class).withoutWaiters(),
            whole(Locks.ClosesAToken.class),
            upTo(55, Locks.UnlocksATokenAsOneComes.class),
            whole(Locks.UnlocksAToken.class).withoutWaiters());

    static final List<Case> CONDITIONS = List.of(
            whole(Conditions.SignalAndLeave.class),
            whole(Conditions.CloseAndLeave.class),
            whole(Conditions.CloseAndSignal.class),
            whole(Conditions.CloseAndCome.class),
            upTo(55, Conditions.AwaitIsInterrupted.class),
            upTo(60, Conditions.AwaitAndSignal.class),
            upTo(60, Conditions.AwaitForSomeTime.class));

    static final List<Case> LATCHES = List.of(
            whole(Latches.LatchOpens.class),
            whole(Latches.LatchOpensForTwo.class),
            whole(Latches.LatchIsGivenUp.class),
            whole(Latches.LatchLine.class),
            whole(Latches.StripedLatchOpens.class),
            whole(Latches.StripedLatchIsCountedTooOften.class),
            whole(Latches.StripedLatchIsQueried.class).withoutWaiters());

    static final List<Case> BARRIERS = List.of(
            whole(Barriers.BarrierOfTwoRounds.class), whole(Barriers.BarrierOfThree.class),
            whole(Barriers.BarrierWithAction.class),
                    whole(Barriers.ActionResets.class).racing(RUNNER),
            whole(Barriers.BarrierIsBroken.class), whole(Barriers.BarrierForSomeTime.class),
            whole(Barriers.BarrierIsReset.class), whole(Barriers.BarrierOfTwoForFour.class),
            whole(Barriers.BarrierOfThreeIsReset.class), whole(Barriers.BarrierPartyLeaves.class));

    static final List<Case> READ_WRITE_LOCKS = List.of(
            whole(ReadWriteLocks.WriterAndReader.class).racing(FIRST_READER),
            whole(ReadWriteLocks.TwoWriters.class),
            upTo(45, ReadWriteLocks.WritesForSomeTime.class).racing(FIRST_READER),
            whole(ReadWriteLocks.ReadsAgain.class).racing(FIRST_READER),
            whole(ReadWriteLocks.Downgrades.class).racing(FIRST_READER),
            whole(ReadWriteLocks.WriterLeaves.class),
            whole(ReadWriteLocks.ReaderLeaves.class),
            whole(ReadWriteLocks.BargesAsWriterComes.class),
            whole(ReadWriteLocks.Barges.class),
            whole(ReadWriteLocks.BargesAsWriterLeaves.class),
            whole(ReadWriteLocks.ClosesAndUnlocks.class),
            whole(ReadWriteLocks.ClosesAndWriterLeaves.class),
            whole(ReadWriteLocks.ClosesAndReaderLeaves.class),
            whole(ReadWriteLocks.ClosesAndOneComes.class),
            whole(ReadWriteLocks.ClosesAndOneComesBack.class),
            whole(ReadWriteLocks.BothCome.class));

    static final List<Case> POOLS = List.of(
            upTo(60, Pools.QueueTwoTakeTurns.class), upTo(60, Pools.StackTwoTakeTurns.class),
            whole(Pools.QueueTryAndPut.class).withoutWaiters(),
                    whole(Pools.StackTryAndPut.class).withoutWaiters(),
            upTo(55, Pools.QueuePollAndPut.class), upTo(55, Pools.StackPollAndPut.class),
            whole(Pools.QueueLineLeaves.class), whole(Pools.StackLineLeaves.class),
            whole(Pools.QueueCloses.class), whole(Pools.StackCloses.class));

    static final List<Case> HAND_OFFS = List.of(
            whole(SynchronousQueues.FairCloseAndCome.class),
                    whole(SynchronousQueues.UnfairCloseAndCome.class).racing(NODE),
            whole(SynchronousQueues.FairCloseAndOffer.class),
                    whole(SynchronousQueues.UnfairCloseAndOffer.class).racing(NODE),
            upTo(52, SynchronousQueues.FairPutTake.class), whole(SynchronousQueues.UnfairPutTake.class),
            upTo(52, SynchronousQueues.FairForSomeTime.class), whole(SynchronousQueues.UnfairForSomeTime.class),
            upTo(57, SynchronousQueues.FairIsInterrupted.class), whole(SynchronousQueues.UnfairIsInterrupted.class));

    static final List<Case> ALL = Stream.of(
                    RENDEZVOUS,
                    NUMBERED_QUEUES,
                    SEMAPHORES,
                    WEIGHTED_SEMAPHORES,
                    LOCKS,
                    CONDITIONS,
                    LATCHES,
                    BARRIERS,
                    READ_WRITE_LOCKS,
                    POOLS,
                    HAND_OFFS)
            .flatMap(List::stream)
            .toList();

    private Cases() {}
}
