package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Verdict;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The models of the atomic classes are atomic, and have the specified memory effects. */
class ModelsTest {

    /** Each actor adds 1, as the subclass implements it. */
    abstract static class Adding {
        abstract long add();

        @Actor(2)
        long actor() {
            return add();
        }
    }

    static class Ints extends Adding {
        private final AtomicInteger x = new AtomicInteger();

        @Override
        long add() {
            return x.incrementAndGet();
        }
    }

    static class Longs extends Adding {
        private final AtomicLong x = new AtomicLong();

        @Override
        long add() {
            return x.accumulateAndGet(1, Long::sum);
        }
    }

    static class Truths extends Adding {
        private final AtomicBoolean x = new AtomicBoolean();

        @Override
        long add() {
            return x.getAndSet(true) ? 2 : 1;
        }
    }

    static class References extends Adding {
        private record Cell(int value) {}

        private final AtomicReference<Cell> x = new AtomicReference<>(new Cell(0));

        @Override
        long add() {
            return x.updateAndGet(now -> new Cell(now.value() + 1)).value();
        }
    }

    static class IntElements extends Adding {
        private final AtomicIntegerArray x = new AtomicIntegerArray(3);

        @Override
        long add() {
            return x.addAndGet(1, 1);
        }
    }

    static class LongElements extends Adding {
        private final AtomicLongArray x = new AtomicLongArray(new long[3]);

        @Override
        long add() {
            return x.getAndIncrement(2) + 1;
        }
    }

    static class ReferenceElements extends Adding {
        private final AtomicReferenceArray<String> x = new AtomicReferenceArray<>(new String[] {"a"});

        @Override
        long add() {
            return x.getAndAccumulate(0, "b", String::concat).length();
        }
    }

    static class IntUpdaters extends Adding {
        private static final AtomicIntegerFieldUpdater<IntUpdaters> X =
                AtomicIntegerFieldUpdater.newUpdater(IntUpdaters.class, "x");
        private volatile int x;

        @Override
        long add() {
            return X.incrementAndGet(this);
        }
    }

    static class LongUpdaters extends Adding {
        private final AtomicLongFieldUpdater<LongUpdaters> updater =
                AtomicLongFieldUpdater.newUpdater(LongUpdaters.class, "x");
        private volatile long x;

        @Override
        long add() {
            return updater.getAndAdd(this, 1) + 1;
        }
    }

    static class ReferenceUpdaters extends Adding {
        private static final AtomicReferenceFieldUpdater<ReferenceUpdaters, String> X =
                AtomicReferenceFieldUpdater.newUpdater(ReferenceUpdaters.class, String.class, "x");
        private volatile String x = "";

        @Override
        long add() {
            return X.updateAndGet(this, now -> now + "a").length();
        }
    }

    static class Stamps extends Adding {
        private final AtomicStampedReference<String> x = new AtomicStampedReference<>("a", 0);

        @Override
        long add() {
            int[] stamp = new int[1];
            String now;
            do {
                now = x.get(stamp);
            } while (!x.compareAndSet(now, "b", stamp[0], stamp[0] + 1));
            return stamp[0] + 1;
        }
    }

    static class Marks extends Adding {
        private final AtomicMarkableReference<String> x = new AtomicMarkableReference<>("a", false);

        @Override
        long add() {
            boolean isFirst = x.compareAndSet("a", "a", false, true);
            return isFirst ? 1 : x.compareAndSet("a", "b", true, false) ? 2 : 0;
        }
    }

    static class Extended extends Adding {
        static class Counter extends AtomicInteger {
            private static final long serialVersionUID = 1L;

            long next() {
                return getAndIncrement() + 1;
            }
        }

        private final Counter x = new Counter();

        @Override
        long add() {
            return x.next();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Ints.class,
                Longs.class,
                Truths.class,
                References.class,
                IntElements.class,
                LongElements.class,
                ReferenceElements.class,
                IntUpdaters.class,
                LongUpdaters.class,
                ReferenceUpdaters.class,
                Stamps.class,
                Extended.class
            })
    void nothingThatIsAddedIsLost(Class<?> scenario) {
        assertEquals(set("1,2", "2,1"), outcomes(scenario));
        assertEquals(2, check(scenario).complete());
    }

    /** The second actor reads the mark at its first read, or only in its comparison. */
    @Test
    void markIsSetOnce() {
        assertEquals(set("1,2", "2,1"), outcomes(Marks.class));
        assertEquals(4, check(Marks.class).complete());
    }

    static class GetAndSetSeparately extends Adding {
        private final AtomicInteger x = new AtomicInteger();

        @Override
        long add() {
            int next = x.get() + 1;
            x.set(next);
            return next;
        }

        @Arbiter
        int end() {
            return x.get();
        }
    }

    @Test
    void whatIsAddedInTwoStepsMayBeLost() {
        assertEquals(set("1,1,1", "1,2,2", "2,1,2"), outcomes(GetAndSetSeparately.class));
    }

    /** Passes a plain value by an atomic variable. */
    abstract static class Passing {
        final AtomicInteger flag = new AtomicInteger();
        int data;

        abstract void signal();

        abstract boolean isSignalled();

        @Actor
        void writer() {
            data = 1;
            signal();
        }

        @Actor
        int reader() {
            return isSignalled() ? data : -1;
        }
    }

    static class LazySet extends Passing {
        @Override
        void signal() {
            flag.lazySet(1);
        }

        @Override
        boolean isSignalled() {
            return flag.get() == 1;
        }
    }

    static class WeakVolatile extends Passing {
        @Override
        void signal() {
            flag.weakCompareAndSetVolatile(0, 1);
        }

        @Override
        boolean isSignalled() {
            return flag.getAcquire() == 1;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {LazySet.class, WeakVolatile.class})
    void orderedMethodsPassAMessage(Class<?> scenario) {
        assertEquals(set("-1", "1"), outcomes(scenario));
    }

    static class SetOpaque extends Passing {
        @Override
        void signal() {
            flag.setOpaque(1);
        }

        @Override
        boolean isSignalled() {
            return flag.get() == 1;
        }
    }

    static class WeakPlain extends Passing {
        @Override
        void signal() {
            flag.weakCompareAndSetPlain(0, 1);
        }

        @Override
        boolean isSignalled() {
            return flag.get() == 1;
        }
    }

    static class GetPlain extends Passing {
        @Override
        void signal() {
            flag.set(1);
        }

        @Override
        boolean isSignalled() {
            return flag.getPlain() == 1;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {SetOpaque.class, WeakPlain.class, GetPlain.class})
    void otherMethodsDoNot(Class<?> scenario) {
        assertEquals(Verdict.DATA_RACE, check(scenario).verdict());
    }
}
