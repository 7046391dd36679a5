package dev.cqs.modelchecked.queue;

import dev.cqs.CancellationMode;
import dev.cqs.ResumeMode;
import dev.cqs.amc.Actor;
import java.util.List;

/** The scenarios of the queue, each in several modes. A scenario is a class with a constructor without parameters. */
final class QueueScenarios {

    static final List<Class<?>> OF_TWO = List.of(
            AsyncSimpleSuspendResume.class, AsyncSmartSuspendResume.class,
            SyncSimpleSuspendResume.class, SyncSmartSuspendResume.class,
            AsyncSimpleTwoResumes.class, AsyncSmartTwoResumes.class,
            SyncSimpleTwoResumes.class, SyncSmartTwoResumes.class,
            AsyncSimpleTwoGiveUp.class, AsyncSmartTwoGiveUp.class);

    static final List<Class<?>> OF_THREE = List.of(
            AsyncSimpleSuspendCancelResume.class, AsyncSmartSuspendCancelResume.class,
            SyncSimpleSuspendCancelResume.class, SyncSmartSuspendCancelResume.class,
            AsyncSimpleLeaveTwoResumes.class, AsyncSmartLeaveTwoResumes.class,
            SyncSimpleLeaveTwoResumes.class, SyncSmartLeaveTwoResumes.class,
            AsyncSimpleNeighboursLeave.class, AsyncSmartNeighboursLeave.class,
            SyncSimpleNeighboursLeave.class, SyncSmartNeighboursLeave.class);

    static final List<Class<?>> OF_FOUR = List.of(
            AsyncSimpleTwoSuspendsTwoResumes.class, AsyncSmartTwoSuspendsTwoResumes.class,
            SyncSimpleTwoSuspendsTwoResumes.class, SyncSmartTwoSuspendsTwoResumes.class);

    private QueueScenarios() {}

    /** A request and a release, in either order. */
    abstract static class SuspendResume extends QueueScenario {

        SuspendResume(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation);
        }

        @Actor
        int suspends() {
            return take(0) ? read() : -1;
        }

        @Actor
        void resumes() {
            write();
            give(1);
        }
    }

    /** Two releases for four waiters, of which the first two are cancelled. */
    abstract static class TwoResumes extends PrefilledScenario {

        TwoResumes(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation, 4);
            leave(2, ticket(0));
            leave(2, ticket(1));
        }

        @Actor(2)
        void resumes(int me) {
            give(me);
        }
    }

    /** Two requests are cancelled behind one that waits. */
    abstract static class TwoGiveUp extends PrefilledScenario {

        TwoGiveUp(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation, 1);
        }

        @Actor(2)
        void givesUp(int me) {
            giveUp(me);
        }
    }

    /** A request that is cancelled, one that is not, and a release. */
    abstract static class SuspendCancelResume extends QueueScenario {

        private final boolean async;
        /** Written by the canceller, read by a release that finds the cancelled request. */
        private int farewell;

        SuspendCancelResume(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation);
            async = resumption == ResumeMode.ASYNC;
        }

        @Actor
        void givesUp() {
            giveUp(0);
        }

        @Override
        void beforeLeaving() {
            farewell = 1;
        }

        @Actor
        void resumes() {
            write();
            int failed = give(1);
            if (failed > 0 && async) { // it has reached the cancelled request
                assert farewell == 1;
            }
        }

        @Actor
        int suspends() {
            return take(2) ? read() : -1;
        }
    }

    /** Two neighbours among four waiters are cancelled, and a release serves the first. */
    abstract static class NeighboursLeave extends PrefilledScenario {

        NeighboursLeave(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation, 4);
        }

        @Actor
        void first() {
            leave(0, ticket(1));
        }

        @Actor
        void second() {
            leave(1, ticket(2));
        }

        @Actor
        void resumes() {
            give(2);
        }
    }

    /** Two releases for three waiters, in any order, while the one in the middle is cancelled. */
    abstract static class LeaveTwoResumes extends PrefilledScenario {

        LeaveTwoResumes(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation, 3);
        }

        @Actor
        void leaves() {
            leave(2, ticket(1));
        }

        @Actor(2)
        void resumes(int me) {
            give(me);
        }
    }

    /** Two requests and two releases. */
    abstract static class TwoSuspendsTwoResumes extends QueueScenario {

        TwoSuspendsTwoResumes(ResumeMode resumption, CancellationMode cancellation) {
            super(resumption, cancellation);
        }

        @Actor(2)
        void resumes(int me) {
            give(me);
        }

        @Actor(2)
        void suspends(int me) {
            take(2 + me);
        }
    }

    static class AsyncSimpleSuspendResume extends SuspendResume {
        AsyncSimpleSuspendResume() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartSuspendResume extends SuspendResume {
        AsyncSmartSuspendResume() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleSuspendResume extends SuspendResume {
        SyncSimpleSuspendResume() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartSuspendResume extends SuspendResume {
        SyncSmartSuspendResume() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleTwoResumes extends TwoResumes {
        AsyncSimpleTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartTwoResumes extends TwoResumes {
        AsyncSmartTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleTwoResumes extends TwoResumes {
        SyncSimpleTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartTwoResumes extends TwoResumes {
        SyncSmartTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleSuspendCancelResume extends SuspendCancelResume {
        AsyncSimpleSuspendCancelResume() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartSuspendCancelResume extends SuspendCancelResume {
        AsyncSmartSuspendCancelResume() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleSuspendCancelResume extends SuspendCancelResume {
        SyncSimpleSuspendCancelResume() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartSuspendCancelResume extends SuspendCancelResume {
        SyncSmartSuspendCancelResume() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleLeaveTwoResumes extends LeaveTwoResumes {
        AsyncSimpleLeaveTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartLeaveTwoResumes extends LeaveTwoResumes {
        AsyncSmartLeaveTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleLeaveTwoResumes extends LeaveTwoResumes {
        SyncSimpleLeaveTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartLeaveTwoResumes extends LeaveTwoResumes {
        SyncSmartLeaveTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleNeighboursLeave extends NeighboursLeave {
        AsyncSimpleNeighboursLeave() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartNeighboursLeave extends NeighboursLeave {
        AsyncSmartNeighboursLeave() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleNeighboursLeave extends NeighboursLeave {
        SyncSimpleNeighboursLeave() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartNeighboursLeave extends NeighboursLeave {
        SyncSmartNeighboursLeave() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleTwoSuspendsTwoResumes extends TwoSuspendsTwoResumes {
        AsyncSimpleTwoSuspendsTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartTwoSuspendsTwoResumes extends TwoSuspendsTwoResumes {
        AsyncSmartTwoSuspendsTwoResumes() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }

    static class SyncSimpleTwoSuspendsTwoResumes extends TwoSuspendsTwoResumes {
        SyncSimpleTwoSuspendsTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SIMPLE);
        }
    }

    static class SyncSmartTwoSuspendsTwoResumes extends TwoSuspendsTwoResumes {
        SyncSmartTwoSuspendsTwoResumes() {
            super(ResumeMode.SYNC, CancellationMode.SMART);
        }
    }

    static class AsyncSimpleTwoGiveUp extends TwoGiveUp {
        AsyncSimpleTwoGiveUp() {
            super(ResumeMode.ASYNC, CancellationMode.SIMPLE);
        }
    }

    static class AsyncSmartTwoGiveUp extends TwoGiveUp {
        AsyncSmartTwoGiveUp() {
            super(ResumeMode.ASYNC, CancellationMode.SMART);
        }
    }
}
