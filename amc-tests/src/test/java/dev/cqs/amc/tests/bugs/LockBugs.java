package dev.cqs.amc.tests.bugs;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.tests.rows.QueueLocks.Cqs;
import java.util.List;

/** A lock whose accesses are too weak in one place. Those of the classic locks are with those. */
final class LockBugs {

    private LockBugs() {
    }

    static List<Bug> bugs() {
        return List.of(
                Bug.everywhere("a queue of cells that resumes without release", OpaqueResume.class, Verdict.DATA_RACE, SoundCqs.class));
    }

    abstract static class CqsClient {
        private final Cqs lock;
        private int count;

        CqsClient(Cqs lock) {
            this.lock = lock;
        }

        @Actor(2)
        void enters(int me) {
            lock.acquire(me);
            count = count + 1;
            lock.release(me);
        }
    }

    static class SoundCqs extends CqsClient {
        SoundCqs() {
            super(new Cqs(2));
        }
    }

    static class OpaqueResume extends CqsClient {
        OpaqueResume() {
            super(new Cqs(2) {
                @Override
                protected void resume(Waiter waiter) {
                    waiter.slot.weakCompareAndSetPlain(0, 1);
                }
            });
        }
    }
}
