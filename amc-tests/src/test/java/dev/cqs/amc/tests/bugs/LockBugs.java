package dev.cqs.amc.tests.bugs;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.tests.rows.QueueLocks.Cqs;
import dev.cqs.amc.tests.rows.QueueLocks.Mcs;
import dev.cqs.amc.tests.rows.QueueLocks.McsNode;
import java.util.List;

/** Locks whose accesses are too weak in one place. */
final class LockBugs {

    private LockBugs() {
    }

    static List<Bug> bugs() {
        return List.of(
                Bug.underWeakMemory("the MCS lock of DPDK links a node before it is ready", OpaqueLink.class, Verdict.HANG,
                        SoundMcs.class),
                Bug.everywhere("an MCS lock that does not acquire its turn", OpaqueTurn.class, Verdict.DATA_RACE, SoundMcs.class),
                Bug.underWeakMemory("an MCS lock that links a fresh node before it is ready", FreshOpaqueLink.class, Verdict.HANG,
                        FreshSoundMcs.class),
                Bug.everywhere("a queue of cells that resumes without release", OpaqueResume.class, Verdict.DATA_RACE, SoundCqs.class),
                Bug.underWeakMemory("the queued spin lock of Linux 4.5 links a node before it is ready", WeaklyLinkedQueue.class,
                        Verdict.HANG, SoundQueue.class),
                Bug.everywhere("the same where a node is made ready plainly", PlainlyReadyQueue.class, Verdict.DATA_RACE,
                        SoundPlainQueue.class));
    }

    /** Two threads with nodes of their own, which add to a plain number. */
    abstract static class McsClient {
        private final Mcs lock;
        private final McsNode[] nodes = {new McsNode(), new McsNode()};
        private int count;

        McsClient(Mcs lock) {
            this.lock = lock;
        }

        @Actor(2)
        void enters(int me) {
            McsNode mine = nodes[me];
            lock.acquire(mine);
            count = count + 1;
            lock.release(mine);
        }
    }

    static class SoundMcs extends McsClient {
        SoundMcs() {
            super(new Mcs());
        }
    }

    static class WeaklyLinked extends Mcs {
        @Override
        protected void link(McsNode before, McsNode mine) {
            McsNode.NEXT.setOpaque(before, mine);
        }

        @Override
        protected McsNode successor(McsNode mine) {
            return (McsNode) McsNode.NEXT.getOpaque(mine);
        }
    }

    static class OpaqueLink extends McsClient {
        OpaqueLink() {
            super(new WeaklyLinked());
        }
    }

    static class WeaklyAwaited extends Mcs {
        @Override
        protected boolean waits(McsNode mine) {
            return (boolean) McsNode.LOCKED.getOpaque(mine);
        }
    }

    static class OpaqueTurn extends McsClient {
        OpaqueTurn() {
            super(new WeaklyAwaited());
        }
    }

    /** Two threads that make their nodes themselves. */
    abstract static class FreshMcsClient {
        private final Mcs lock;
        private int count;

        FreshMcsClient(Mcs lock) {
            this.lock = lock;
        }

        @Actor(2)
        void enters() {
            McsNode mine = new McsNode();
            lock.acquire(mine);
            count = count + 1;
            lock.release(mine);
        }
    }

    static class FreshSoundMcs extends FreshMcsClient {
        FreshSoundMcs() {
            super(new Mcs());
        }
    }

    static class FreshOpaqueLink extends FreshMcsClient {
        FreshOpaqueLink() {
            super(new WeaklyLinked());
        }
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

    /** Three threads: one in the critical section, and two in the queue. */
    abstract static class QueueClient {
        private final QueuedSpinLock lock;
        private int count;

        QueueClient(QueuedSpinLock lock) {
            this.lock = lock;
        }

        @Actor(3)
        void enters(int me) {
            lock.acquire(me);
            count = count + 1;
            lock.release();
        }
    }

    static class SoundQueue extends QueueClient {
        SoundQueue() {
            super(new QueuedSpinLock(3, true, false));
        }
    }

    static class WeaklyLinkedQueue extends QueueClient {
        WeaklyLinkedQueue() {
            super(new QueuedSpinLock(3, false, false));
        }
    }

    static class SoundPlainQueue extends QueueClient {
        SoundPlainQueue() {
            super(new QueuedSpinLock(3, true, true));
        }
    }

    static class PlainlyReadyQueue extends QueueClient {
        PlainlyReadyQueue() {
            super(new QueuedSpinLock(3, false, true));
        }
    }
}
