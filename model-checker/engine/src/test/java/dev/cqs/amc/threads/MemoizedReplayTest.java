package dev.cqs.amc.threads;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Execution;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.amc.bytecode.Checking;
import java.math.BigInteger;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code runs only where its steps are not memoized, and contents of objects that are not in the graph are part of a
 * history.
 */
class MemoizedReplayTest {

    /** More than the number of first graphs in which all code runs. */
    private static final int CONTENTS = 40;

    /** The first object of its maker has one of many contents, which the user reads; its number is always the same. */
    abstract static class Handing<T> {
        final AtomicReference<T> shared = new AtomicReference<>();

        abstract T make(int content);

        abstract int content(T made);

        @Actor
        void maker() {
            shared.set(make(Execution.choose(CONTENTS)));
        }

        @Actor
        int user() {
            T made = shared.get();
            return made == null ? -1 : content(made);
        }
    }

    record Number(int content) {}

    static class FinalNumber extends Handing<Number> {
        @Override
        Number make(int content) {
            return new Number(content);
        }

        @Override
        int content(Number made) {
            return made.content();
        }
    }

    static class Deep extends Handing<Deep.Holder> {
        record Holder(Number number) {}

        @Override
        Holder make(int content) {
            return new Holder(new Number(content));
        }

        @Override
        int content(Holder made) {
            return made.number().content();
        }
    }

    static class Length extends Handing<int[]> {
        @Override
        int[] make(int content) {
            return new int[content];
        }

        @Override
        int content(int[] made) {
            return made.length;
        }
    }

    /** One of two objects that are made in sequence. */
    static class OneOfTwo extends Handing<OneOfTwo.Holder> {
        record Holder(Object first, Object second, Object held) {}

        @Override
        Holder make(int content) {
            Object first = new Number(0);
            Object second = new Number(1);
            return new Holder(first, second, content == CONTENTS - 1 ? second : first);
        }

        @Override
        int content(Holder made) {
            return made.held() == made.first() ? 0 : 1;
        }
    }

    static class Lambda extends Handing<IntSupplier> {
        @Override
        IntSupplier make(int content) {
            return () -> content;
        }

        @Override
        int content(IntSupplier made) {
            return made.getAsInt();
        }
    }

    static class Value extends Handing<BigInteger> {
        @Override
        BigInteger make(int content) {
            return BigInteger.valueOf(1_000_000 + content);
        }

        @Override
        int content(BigInteger made) {
            return made.intValue() - 1_000_000;
        }
    }

    static class Foreigner extends Handing<Optional<String>> {
        @Override
        Optional<String> make(int content) {
            return Optional.of(String.valueOf(content));
        }

        @Override
        int content(Optional<String> made) {
            return Integer.parseInt(made.get());
        }
    }

    static class Inherited extends Handing<Inherited.Below> {
        static class Above {
            final int content;

            Above(int content) {
                this.content = content;
            }
        }

        static class Below extends Above {
            Below(int content) {
                super(content);
            }
        }

        @Override
        Below make(int content) {
            return new Below(content);
        }

        @Override
        int content(Below made) {
            return made.content;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FinalNumber.class,
                Deep.class,
                Length.class,
                Lambda.class,
                Value.class,
                Foreigner.class,
                Inherited.class
            })
    void oneNumberMayStandForDifferentThings(Class<?> scenario) {
        String[] contents =
                IntStream.range(-1, CONTENTS).mapToObj(String::valueOf).toArray(String[]::new);
        assertEquals(set(contents), outcomes(scenario));
    }

    @Test
    void finalFieldMayHoldAnotherObject() {
        assertEquals(set("-1", "0", "1"), outcomes(OneOfTwo.class));
    }

    /** A thread passes an object on without reading it, but the object depends on its maker. */
    static class HandedOn {
        final AtomicReference<Number> first = new AtomicReference<>();
        final AtomicReference<Number> second = new AtomicReference<>();

        @Actor
        void a() {
            first.set(new Number(Execution.choose(CONTENTS)));
        }

        @Actor
        void b() {
            second.set(first.get());
        }

        @Actor
        int c() {
            Number got = second.get();
            return got == null ? -1 : got.content();
        }
    }

    @Test
    void whatIsHandedOnDependsOnItsMaker() {
        assertEquals(CONTENTS + 1, outcomes(HandedOn.class).size());
    }

    /** The final state depends on which thread was first, and many values are read repeatedly. */
    static class Many {
        private int count;
        private int last;
        private final AtomicReference<Number> latest = new AtomicReference<>();

        @Actor(3)
        int takesAndAdds(int number) {
            synchronized (this) {
                count++;
                last = number;
                latest.set(new Number(10 * count + number));
            }
            return latest.get().content() / 10;
        }

        @Arbiter
        int end() {
            assert count == 3 && latest.get().content() == 30 + last;
            return last;
        }
    }

    @Test
    void endSeesWhatTheLastOneHasMade() {
        Result result = Checking.expect(Many.class, Verdict.VERIFIED);
        long lasts = result.outcomes().keySet().stream()
                .map(outcome -> outcome.get(3))
                .distinct()
                .count();
        assertEquals(3, lasts, result::toString);
        // The last thread reads its own value or an older one: there is no newer one.
        assertTrue(
                result.outcomes().keySet().stream()
                        .allMatch(outcome -> outcome.get(outcome.get(3).intValue()) == 3),
                result::toString);
    }

    /** A maker waits to be admitted, and has an effect in each failed iteration. */
    abstract static class InVain {
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger chosen = new AtomicInteger();
        final AtomicReference<Number> shared = new AtomicReference<>();

        @Actor
        void a() {
            chosen.set(Execution.choose(CONTENTS));
        }

        abstract void makes();

        @Actor
        void opens() {
            open.set(1);
        }

        @Actor
        int reads() {
            chosen.get();
            Number got = shared.get();
            return got == null ? -1 : got.content();
        }
    }

    /**
     * A failed iteration makes an object that does not escape, and leaves nothing in the graph; a successful iteration
     * makes another object.
     */
    static class MakesInVain extends InVain {
        private final AtomicReference<Number> full = new AtomicReference<>(new Number(-5));

        @Override
        @Actor
        void makes() {
            while (true) {
                int seen = open.get();
                Number made = new Number(seen);
                if (seen != 0) {
                    shared.set(made);
                    return;
                }
                chosen.get();
                full.compareAndSet(null, made);
            }
        }
    }

    @Test
    void whatIsMadeInVainIsNotHandedOn() {
        assertEquals(set("-1", "1"), outcomes(MakesInVain.class));
    }

    /** A failed iteration has more reads than the code after the successful one. */
    static class ReadsInVain extends InVain {

        @Override
        @Actor
        void makes() {
            while (open.get() == 0) {
                chosen.get();
                chosen.get();
                chosen.get();
            }
            shared.set(new Number(1));
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatIsNeededIsMadeThoughMoreWasReadBefore() {
        assertEquals(set("-1", "1"), outcomes(ReadsInVain.class));
    }

    /** Two threads wait in a monitor in turn; what they wait for comes unless the last of many choices is taken. */
    static class WaitsInMonitor {
        private boolean open;

        @Actor(2)
        void waits() {
            while (!isOpen()) {
                Thread.onSpinWait();
            }
        }

        private synchronized boolean isOpen() {
            return open;
        }

        @Actor
        void opens() {
            if (Execution.choose(CONTENTS) < CONTENTS - 1) {
                synchronized (this) {
                    open = true;
                }
            }
        }
    }

    @Test
    void waitInAMonitorIsKnownByHeart() {
        Result result = Checking.expect(WaitsInMonitor.class, Verdict.HANG);
        assertTrue(result.complete() >= CONTENTS - 1, result::toString);
    }

    /** The same with choices that make no difference, so that none of them hangs. */
    static class FindsMonitorOpen extends WaitsInMonitor {
        @Override
        @Actor
        void opens() {
            Execution.choose(CONTENTS);
            synchronized (this) {
                super.open = true;
            }
        }
    }

    @Test
    void waitInAMonitorEnds() {
        Result result = Checking.expect(FindsMonitorOpen.class, Verdict.VERIFIED);
        assertEquals(0, result.complete() % CONTENTS, result::toString);
        assertTrue(result.complete() > CONTENTS, result::toString);
    }

    static class TwoChoose {
        @Actor
        int a() {
            return Execution.choose(CONTENTS);
        }

        @Actor
        int b() {
            return Execution.choose(3);
        }
    }

    @Test
    void choicesAreAllMadeAgain() {
        assertEquals(3 * CONTENTS, outcomes(TwoChoose.class).size());
    }

    static class StartsAndJoins {
        private int x;

        @Actor
        int starts() throws InterruptedException {
            Thread started = new Thread(() -> x = Execution.choose(CONTENTS));
            started.start();
            started.join();
            return x;
        }

        @Actor
        void chooses() {
            Execution.choose(CONTENTS);
        }
    }

    @Test
    void threadsAreStartedAndJoinedAgain() {
        assertEquals(CONTENTS, outcomes(StartsAndJoins.class).size());
    }

    /** A timed wait does not hang, although no thread opens. */
    static class WaitsForSomeTime {
        volatile boolean open;

        @Actor
        void chooses() {
            Execution.choose(CONTENTS);
        }

        @Actor
        boolean waits() {
            long begin = System.nanoTime();
            while (!open) {
                if (System.nanoTime() - begin > 1_000) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void timeIsKnownByHeart() {
        assertEquals(set("0"), outcomes(WaitsForSomeTime.class));
    }

    /** More histories than are kept. */
    static class TooMany {
        private static final int CHOICES = 520;
        volatile int a;
        volatile int b;

        @Actor
        void chooses() {
            int one = Execution.choose(CHOICES);
            int other = Execution.choose(CHOICES);
            a = one;
            b = other;
            assert a == one && b == other;
        }
    }

    @Test
    void allIsFoundThoughNotAllIsKept() {
        Result result = check(TooMany.class);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(TooMany.CHOICES * TooMany.CHOICES, result.complete());
    }
}
