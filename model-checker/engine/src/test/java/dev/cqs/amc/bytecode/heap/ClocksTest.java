package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No time or a long time passes between two reads of the clock, by whichever threads. A read that happens after another
 * one reads no earlier time.
 */
class ClocksTest {

    /**
     * A time that one thread reads is compared with a time that another thread reads, as the subclass implements it.
     */
    abstract static class Compares {
        final AtomicLong x = new AtomicLong();

        void tell() {
            x.set(System.nanoTime());
        }

        boolean hasTold() {
            return x.get() != 0;
        }

        abstract boolean isLater();

        @Actor
        void tells() {
            tell();
        }

        @Actor
        int compares() {
            return hasTold() ? isLater() ? 1 : 0 : 2;
        }
    }

    static class ByDifference extends Compares {
        @Override
        boolean isLater() {
            return System.nanoTime() - x.get() > 0;
        }
    }

    static class InMillis extends Compares {
        @Override
        void tell() {
            x.set(System.currentTimeMillis());
        }

        @Override
        boolean isLater() {
            return System.currentTimeMillis() > x.get();
        }
    }

    static class InSeconds extends Compares {
        @Override
        void tell() {
            x.set(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()));
        }

        @Override
        boolean isLater() {
            return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()) > x.get();
        }
    }

    static class InABox extends Compares {
        private final AtomicReference<Object> box = new AtomicReference<>();

        @Override
        void tell() {
            box.set(System.nanoTime());
        }

        @Override
        boolean hasTold() {
            return box.get() != null;
        }

        @Override
        boolean isLater() {
            return System.nanoTime() > (Long) box.get();
        }
    }

    static class InAFinalField extends Compares {
        record Time(String name, long nanos) {}

        private volatile Time time;

        @Override
        void tell() {
            time = new Time("now", System.nanoTime());
        }

        @Override
        boolean hasTold() {
            return time != null;
        }

        @Override
        boolean isLater() {
            return System.nanoTime() > time.nanos();
        }
    }

    static class InALambda extends Compares {
        private volatile java.util.function.LongSupplier time;

        @Override
        void tell() {
            long now = System.nanoTime();
            time = () -> now;
        }

        @Override
        boolean hasTold() {
            return time != null;
        }

        @Override
        boolean isLater() {
            return System.nanoTime() > time.getAsLong();
        }
    }

    static class InAnElement extends Compares {
        private final double[] times = new double[1];
        private volatile boolean told;

        @Override
        void tell() {
            times[0] = System.nanoTime();
            told = true;
        }

        @Override
        boolean hasTold() {
            return told;
        }

        @Override
        boolean isLater() {
            return System.nanoTime() > times[0];
        }
    }

    static class AsAText extends Compares {
        private volatile String text;

        @Override
        void tell() {
            text = "" + System.nanoTime();
        }

        @Override
        boolean hasTold() {
            return text != null;
        }

        @Override
        boolean isLater() {
            return System.nanoTime() > Long.parseLong(text);
        }
    }

    /** Hours in an int: no number that looks like a time. */
    static class InHours extends Compares {
        private volatile int hours;

        @Override
        void tell() {
            hours = (int) TimeUnit.NANOSECONDS.toHours(System.nanoTime());
        }

        @Override
        boolean hasTold() {
            return hours != 0;
        }

        @Override
        boolean isLater() {
            return TimeUnit.NANOSECONDS.toHours(System.nanoTime()) > hours;
        }
    }

    static class OfTheSetUp extends Compares {
        private final long begin = System.nanoTime();

        @Override
        void tell() {
            x.set(1);
        }

        @Override
        boolean isLater() {
            return System.nanoTime() - begin > TimeUnit.HOURS.toNanos(1);
        }
    }

    /**
     * The times are equal or not, and an earlier read never has a later time. Before, they were always equal, or the
     * set-up's time was of another clock.
     */
    @ParameterizedTest
    @ValueSource(
            classes = {
                ByDifference.class,
                InMillis.class,
                InSeconds.class,
                InABox.class,
                InAFinalField.class,
                InALambda.class,
                InAnElement.class,
                AsAText.class,
                InHours.class,
                OfTheSetUp.class
            })
    void timeOfAnotherThreadIsEqualOrEarlier(Class<?> scenario) {
        assertEquals(set("0", "1", "2"), outcomes(scenario));
    }

    static class WithoutOrder {
        private volatile long first;
        private volatile long second;

        @Actor
        void first() {
            first = System.nanoTime();
        }

        @Actor
        void second() {
            second = System.nanoTime();
        }

        @dev.cqs.amc.Arbiter
        int end() {
            return Long.compare(first, second);
        }
    }

    @Test
    void timesThatNothingOrdersAreInAnyOrder() {
        assertEquals(set("-1", "0", "1"), outcomes(WithoutOrder.class));
    }

    static class InTurn {
        private volatile long first;

        @Actor
        void first() {
            first = System.nanoTime();
        }

        @Actor
        void second() {
            long told = first;
            if (told != 0 && System.nanoTime() - told < 0) {
                throw new AssertionError("back in time");
            }
        }
    }

    static class SleepsInTurn {
        private volatile long until;

        @Actor
        void sleeps() throws InterruptedException {
            long begin = System.nanoTime();
            Thread.sleep(10); // checked, so no time passes but that of the model
            until = System.nanoTime();
            if (until - begin < 10_000_000) {
                throw new AssertionError("too short");
            }
        }

        @Actor
        void looks() {
            long told = until;
            if (told != 0 && System.nanoTime() < told) {
                throw new AssertionError("back in time");
            }
        }
    }

    @Test
    void timeDoesNotGoBack() {
        expect(InTurn.class, Verdict.VERIFIED);
        expect(SleepsInTurn.class, Verdict.VERIFIED);
    }

    /** One thread observes the deadline of another, which may have passed at its first read. */
    static class SharedDeadline {
        private final AtomicLong deadline = new AtomicLong();

        @Actor
        void sets() {
            deadline.set(System.nanoTime() + 1_000);
        }

        @Actor
        int keeps() {
            long until = deadline.get();
            if (until == 0) {
                return 0;
            }
            int turns = 1;
            while (System.nanoTime() - until < 0) {
                turns = 2;
            }
            return turns;
        }
    }

    @Test
    void deadlineOfAnotherThreadMayBeOverAtOnce() {
        assertEquals(set("0", "1", "2"), outcomes(SharedDeadline.class));
    }

    static class ReturnsATime {
        @Actor
        long actor() {
            return System.nanoTime() - System.nanoTime() == 0 ? System.nanoTime() : 0;
        }
    }

    @Test
    void timeMayBeObserved() {
        assertTrue(check(ReturnsATime.class).isVerified());
    }

    /** No time is passed between threads, so each has its own clock, at no cost. */
    static class OwnDeadlines {
        private volatile int x;

        @Actor(2)
        void actor() {
            long deadline = System.nanoTime() + 1_000;
            x++;
            if (deadline - System.nanoTime() <= 0) {
                x = 7;
            }
        }
    }

    @Test
    void threadsThatKeepTheirTimesForThemselvesHaveClocksOfTheirOwn() {
        // With a shared clock there would be more executions.
        verified(OwnDeadlines.class, 32);
    }
}
