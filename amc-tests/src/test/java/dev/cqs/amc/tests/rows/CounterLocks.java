package dev.cqs.amc.tests.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Locks of which the state is numbers. The modes are those that libvsync publishes, where Java has them. */
final class CounterLocks {

    private CounterLocks() {
    }

    static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static final class Ticket implements RowLock {
        private static final VarHandle NEXT = field(MethodHandles.lookup(), "next", int.class);
        private static final VarHandle OWNER = field(MethodHandles.lookup(), "owner", int.class);

        private volatile int next;
        private volatile int owner;

        @Override
        public void acquire(int me) {
            int ticket = (int) NEXT.getAndAddAcquire(this, 1);
            while ((int) OWNER.getAcquire(this) != ticket) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void release(int me) {
            OWNER.setRelease(this, (int) OWNER.getOpaque(this) + 1);
        }
    }

    /** What the next three have in common: one word that is 1 while the lock is held. */
    private abstract static class OneWord implements RowLock {
        static final VarHandle HELD = field(MethodHandles.lookup(), "held", int.class);

        private volatile int held;

        final void awaitFree() {
            while ((int) HELD.getOpaque(this) != 0) {
                Thread.onSpinWait();
            }
        }

        @Override
        public final void release(int me) {
            HELD.setRelease(this, 0);
        }
    }

    static final class Cas extends OneWord {
        @Override
        public void acquire(int me) {
            while ((int) HELD.compareAndExchangeAcquire(this, 0, 1) != 0) {
                Thread.onSpinWait();
            }
        }
    }

    static final class CasTtas extends OneWord {
        @Override
        public void acquire(int me) {
            do {
                awaitFree();
            } while ((int) HELD.compareAndExchangeAcquire(this, 0, 1) != 0);
        }
    }

    /** A round that loses the swap has no effect, as it swaps in what is there. */
    static final class Ttas extends OneWord {
        @Override
        public void acquire(int me) {
            do {
                awaitFree();
            } while ((int) HELD.getAndSetAcquire(this, 1) != 0);
        }
    }

    /** A ticket lock in which those further back wait for an element of an array instead. */
    static final class Twa implements RowLock {
        private static final VarHandle TICKET = field(MethodHandles.lookup(), "ticket", int.class);
        private static final VarHandle GRANT = field(MethodHandles.lookup(), "grant", int.class);
        private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);

        private final int[] slots;
        private volatile int ticket;
        private volatile int grant;

        Twa(int threads) {
            slots = new int[threads + 2];
        }

        @Override
        public void acquire(int me) {
            int mine = (int) TICKET.getAndAddAcquire(this, 1);
            int ahead = mine - (int) GRANT.getAcquire(this);
            if (ahead == 0) {
                return;
            }
            if (ahead > 1) {
                waitForSlot(mine);
            }
            while ((int) GRANT.getAcquire(this) != mine) {
                Thread.onSpinWait();
            }
        }

        private void waitForSlot(int mine) {
            int seen = (int) SLOT.getAcquire(slots, mine);
            while (mine - (int) GRANT.getOpaque(this) > 1) {
                int old = seen;
                do {
                    seen = (int) SLOT.getAcquire(slots, mine);
                } while (seen == old);
            }
        }

        @Override
        public void release(int me) {
            int next = (int) GRANT.getOpaque(this) + 1;
            GRANT.setRelease(this, next);
            SLOT.getAndAddRelease(slots, next + 1, 1);
        }
    }

    /** Each thread waits for an element of its own, and opens that of the next one. */
    static final class Array implements RowLock {
        private static final VarHandle TAIL = field(MethodHandles.lookup(), "tail", int.class);
        private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);

        private final int[] flags;
        /** Which element a thread waits for; only the thread itself looks. */
        private final int[] slots;
        private volatile int tail;

        Array(int threads) {
            flags = new int[threads];
            flags[0] = 1;
            slots = new int[threads];
        }

        @Override
        public void acquire(int me) {
            int slot = (int) TAIL.getAndAdd(this, 1) % flags.length;
            slots[me] = slot;
            while ((int) FLAG.getAcquire(flags, slot) != 1) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void release(int me) {
            int slot = slots[me];
            FLAG.setOpaque(flags, slot, 0);
            FLAG.setRelease(flags, (slot + 1) % flags.length, 1);
        }
    }
}
