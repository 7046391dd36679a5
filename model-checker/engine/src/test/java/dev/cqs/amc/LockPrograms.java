package dev.cqs.amc;

import static dev.cqs.amc.Mode.ACQUIRE;
import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.Mode.RELEASE;
import static dev.cqs.amc.Mode.VOLATILE;

/**
 * The classic spin locks, each with the modes that libvsync publishes for it. A client enters once. In the critical
 * section it changes a plain variable, so that a missing order is a data race.
 */
public enum LockPrograms {
    TICKET {
        @Override
        Lock lock(Program p, int threads) {
            Variable next = p.variable("next");
            Variable owner = p.variable("owner");
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    long ticket = t.getAndAdd(next, 1, OPAQUE);
                    t.await(owner, ACQUIRE, now -> now == ticket);
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setRelease(owner, t.getOpaque(owner) + 1);
                }
            };
        }
    },

    /** Test and test-and-set: an iteration that loses the exchange has no effect, because it writes the old value. */
    TTAS {
        @Override
        Lock lock(Program p, int threads) {
            Variable lock = p.variable("lock");
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    t.await(() -> {
                        t.await(lock, OPAQUE, now -> now == 0);
                        return t.getAndSet(lock, 1, ACQUIRE) == 0;
                    });
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setRelease(lock, 0);
                }
            };
        }
    },

    CAS_TTAS {
        @Override
        Lock lock(Program p, int threads) {
            Variable lock = p.variable("lock");
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    t.await(() -> {
                        t.await(lock, OPAQUE, now -> now == 0);
                        return t.compareAndSet(lock, 0, 1, ACQUIRE);
                    });
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setRelease(lock, 0);
                }
            };
        }
    },

    CAS {
        @Override
        Lock lock(Program p, int threads) {
            Variable lock = p.variable("lock");
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    t.await(() -> t.compareAndSet(lock, 0, 1, ACQUIRE));
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setRelease(lock, 0);
                }
            };
        }
    },

    /** A ticket lock in which waiters behind the first one wait for a slot of an array (TWA). */
    TWA {
        @Override
        Lock lock(Program p, int threads) {
            Variable ticket = p.variable("ticket");
            Variable grant = p.variable("grant");
            Variable[] slots = p.array("slot", threads + 2);
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    long mine = t.getAndAdd(ticket, 1, OPAQUE);
                    long ahead = mine - t.getAcquire(grant);
                    if (ahead == 0) {
                        return;
                    }
                    if (ahead > 1) {
                        waitForSlot(t, mine);
                    }
                    t.await(grant, ACQUIRE, now -> now == mine);
                }

                private void waitForSlot(ModelThread t, long mine) {
                    Variable slot = slots[(int) mine];
                    long seen = t.getAcquire(slot);
                    while (mine - t.getOpaque(grant) > 1) {
                        long old = seen;
                        seen = t.await(slot, ACQUIRE, now -> now != old);
                    }
                }

                @Override
                public void release(ModelThread t, int me) {
                    long next = t.getOpaque(grant) + 1;
                    t.setRelease(grant, next);
                    t.getAndAdd(slots[(int) next + 1], 1, RELEASE);
                }
            };
        }
    },

    MCS {
        @Override
        Lock lock(Program p, int threads) {
            return mcs(p, threads, RELEASE, ACQUIRE, ACQUIRE);
        }
    },

    CLH {
        @Override
        Lock lock(Program p, int threads) {
            Variable[] locked = p.array("locked", threads + 1);
            Variable tail = p.variable("tail", threads);
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    t.setOpaque(locked[me], 1);
                    int before = (int) t.getAndSet(tail, me, VOLATILE);
                    t.await(locked[before], ACQUIRE, now -> now == 0);
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setRelease(locked[me], 0);
                }
            };
        }
    },

    ARRAY {
        @Override
        Lock lock(Program p, int threads) {
            Variable tail = p.variable("tail");
            Variable[] flags = new Variable[threads];
            for (int i = 0; i < threads; i++) {
                flags[i] = p.variable("flag[" + i + "]", i == 0 ? 1 : 0);
            }
            long[] slots = new long[threads];
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    slots[me] = t.getAndAdd(tail, 1, VOLATILE) % threads;
                    t.await(flags[(int) slots[me]], ACQUIRE, now -> now == 1);
                }

                @Override
                public void release(ModelThread t, int me) {
                    t.setOpaque(flags[(int) slots[me]], 0);
                    t.setRelease(flags[(int) (slots[me] + 1) % threads], 1);
                }
            };
        }
    },

    HEM {
        @Override
        Lock lock(Program p, int threads) {
            Variable tail = p.variable("tail");
            Variable[] grant = p.array("grant", threads);
            return new Lock() {
                @Override
                public void acquire(ModelThread t, int me) {
                    t.setOpaque(grant[me], 0);
                    int before = (int) t.getAndSet(tail, me + 1, VOLATILE) - 1;
                    if (before >= 0) {
                        t.await(grant[before], ACQUIRE, now -> now == 1);
                        t.setOpaque(grant[before], 0);
                    }
                }

                @Override
                public void release(ModelThread t, int me) {
                    if (t.getOpaque(tail) == me + 1 && t.compareAndSet(tail, me + 1, 0, RELEASE)) {
                        return;
                    }
                    t.setRelease(grant[me], 1);
                    t.await(grant[me], OPAQUE, now -> now == 0);
                }
            };
        }
    },

    /**
     * A mutex in the shape of a queue of cells: a counter, two indices into an array, and a slot per waiting thread.
     */
    CQS {
        @Override
        Lock lock(Program p, int threads) {
            return cqs(p, threads, VOLATILE);
        }
    };

    /** A lock in a program; {@code me} is the index of the calling thread. */
    interface Lock {

        void acquire(ModelThread t, int me);

        void release(ModelThread t, int me);
    }

    abstract Lock lock(Program p, int threads);

    /**
     * The MCS lock.
     *
     * @param link the mode in which the successor writes itself into its predecessor's node
     * @param linked the mode in which the owner reads its successor when it unlocks
     * @param awaited the mode in which a waiting thread reads its node
     */
    static Lock mcs(Program p, int threads, Mode link, Mode linked, Mode awaited) {
        Variable tail = p.variable("tail");
        Variable[] next = p.array("next", threads);
        Variable[] locked = p.array("locked", threads);
        return new Lock() {
            @Override
            public void acquire(ModelThread t, int me) {
                t.setOpaque(next[me], 0);
                t.setOpaque(locked[me], 1);
                int before = (int) t.getAndSet(tail, me + 1, VOLATILE) - 1;
                if (before >= 0) {
                    t.store(next[before], me + 1, link);
                    t.await(locked[me], awaited, now -> now == 0);
                }
            }

            @Override
            public void release(ModelThread t, int me) {
                if (t.getOpaque(next[me]) == 0) {
                    if (t.compareAndSet(tail, me + 1, 0, RELEASE)) {
                        return;
                    }
                    t.await(next[me], OPAQUE, now -> now != 0);
                }
                int successor = (int) t.load(next[me], linked) - 1;
                t.setRelease(locked[successor], 0);
            }
        };
    }

    /**
     * The mutex in the shape of a queue of cells. A release that finds an empty cell leaves a token there, which the
     * next waiter takes.
     *
     * @param resume the mode in which a waiting thread is resumed
     */
    static Lock cqs(Program p, int threads, Mode resume) {
        Variable free = p.variable("free", 1);
        Variable waiting = p.variable("waiting");
        Variable resumed = p.variable("resumed");
        Variable[] cells = p.array("cell", threads);
        Variable[] slots = p.array("slot", threads);
        long token = threads + 1;
        return new Lock() {
            @Override
            public void acquire(ModelThread t, int me) {
                if (t.getAndAdd(free, -1, VOLATILE) > 0) {
                    return;
                }
                t.setOpaque(slots[me], 0);
                Variable cell = cells[(int) t.getAndAdd(waiting, 1, VOLATILE)];
                if (t.compareAndSet(cell, 0, me + 1, VOLATILE)) {
                    t.await(slots[me], ACQUIRE, now -> now == 1);
                }
            }

            @Override
            public void release(ModelThread t, int me) {
                if (t.getAndAdd(free, 1, VOLATILE) >= 0) {
                    return;
                }
                Variable cell = cells[(int) t.getAndAdd(resumed, 1, VOLATILE)];
                if (t.getVolatile(cell) == 0 && t.compareAndSet(cell, 0, token, VOLATILE)) {
                    return;
                }
                int waiter = (int) t.getVolatile(cell) - 1;
                t.setVolatile(cell, token);
                t.compareAndSet(slots[waiter], 0, 1, resume);
            }
        };
    }

    /** Each thread enters once, and adds one to a plain variable. */
    public Program counting(int threads) {
        return Program.define(name() + "(" + threads + ")", p -> count(p, lock(p, threads), threads));
    }

    /** The same, with other modes. */
    public Program counting(int threads, OtherModes modes) {
        return Program.define(name() + "(" + threads + ")", p -> count(p, lock(p, threads), threads, modes));
    }

    static void count(Program p, Lock lock, int threads) {
        count(p, lock, threads, OtherModes.SAME);
    }

    private static void count(Program p, Lock lock, int threads, OtherModes modes) {
        Variable count = p.variable("count");
        for (int i = 0; i < threads; i++) {
            int me = i;
            p.thread(original -> {
                ModelThread t = modes.of(original);
                lock.acquire(t, me);
                t.set(count, t.get(count) + 1);
                lock.release(t, me);
            });
        }
        p.atEnd(end -> end.check(end.get(count) == threads, "every thread has counted"));
    }

    /** Each thread enters once, writes its number to a plain variable, and finds it there. */
    Program writing(int threads) {
        return Program.define(name() + "(" + threads + ")", p -> {
            Lock lock = lock(p, threads);
            Variable owner = p.variable("holder");
            for (int i = 0; i < threads; i++) {
                int me = i;
                p.thread(t -> {
                    lock.acquire(t, me);
                    t.set(owner, me);
                    t.check(t.get(owner) == me, "nobody else is in the critical section");
                    lock.release(t, me);
                });
            }
        });
    }
}
