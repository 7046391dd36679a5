package dev.cqs.amc.bytecode.loops;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.ModelThread;
import dev.cqs.amc.Program;
import dev.cqs.amc.Result;
import dev.cqs.amc.Variable;
import dev.cqs.amc.Verdict;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Awaits are recognized in all forms of loops, and their failed iterations are removed. */
class WaitingLoopsTest {

    /** One thread sets x and then y; the other waits for both, as the subclass implements it. */
    abstract static class Waiting {
        volatile int x;
        volatile int y;

        abstract void await();

        @Actor
        void waiter() {
            await();
        }

        @Actor
        void writer() {
            x = 1;
            y = 1;
        }
    }

    static class While extends Waiting {
        @Override
        void await() {
            while (x == 0 || y == 0) {
                Thread.onSpinWait();
            }
        }
    }

    static class DoWhile extends Waiting {
        @Override
        void await() {
            int sum;
            do {
                sum = x + y;
            } while (sum < 2);
        }
    }

    static class ForEverWithBreak extends Waiting {
        @Override
        void await() {
            for (; ; ) {
                if (x == 0) {
                    continue;
                }
                if (y != 0) {
                    break;
                }
            }
        }
    }

    static class Switch extends Waiting {
        @Override
        void await() {
            for (; ; ) {
                switch (x + y) {
                    case 2:
                        return;
                    case 1:
                        Thread.yield();
                        break;
                    default:
                        Thread.onSpinWait();
                }
            }
        }
    }

    static class InCalledMethod extends Waiting {
        private boolean isDone() {
            return x + y == 2;
        }

        @Override
        void await() {
            while (!isDone()) {}
        }
    }

    static class ThroughLambda extends Waiting {
        @Override
        void await() {
            java.util.function.BooleanSupplier isDone = () -> x + y == 2;
            while (!isDone.getAsBoolean()) {}
        }
    }

    static class ByException extends Waiting {
        private void complain() {
            if (x + y < 2) {
                throw new IllegalStateException("not yet");
            }
        }

        @Override
        void await() {
            while (true) {
                try {
                    complain();
                    return;
                } catch (IllegalStateException e) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    static class FreshObjects extends Waiting {
        record Both(int x, int y) {
            boolean isDone() {
                return x + y == 2;
            }
        }

        @Override
        void await() {
            while (!new Both(x, y).isDone()) {}
        }
    }

    static class Scratch extends Waiting {
        private static class Sum {
            private int sum;

            Sum add(int more) {
                sum += more;
                return this;
            }
        }

        private final int[] indices = {0, 1};

        private Iterable<Integer> values() {
            return () -> new java.util.Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < indices.length;
                }

                @Override
                public Integer next() {
                    return indices[next++] == 0 ? x : y;
                }
            };
        }

        @Override
        void await() {
            Sum sum;
            int[] copy;
            do {
                sum = new Sum().add(0);
                copy = new int[] {sum.sum};
                for (int value : values()) {
                    sum.add(value);
                    copy[0]++;
                }
            } while (sum.sum < copy[0]);
        }
    }

    static class InSwitchExpression extends Waiting {
        @Override
        void await() {
            int found = 3
                    + switch (x) {
                        case 0, 1 -> {
                            while (x + y < 2) {}
                            yield x;
                        }
                        default -> throw new AssertionError();
                    };
            assert found == 4;
        }
    }

    static class TimeStandsStill extends Waiting {
        @Override
        void await() {
            while (x + y < 2) {
                try {
                    Thread.sleep(1); // checked, so no time passes but that of the model
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                While.class,
                DoWhile.class,
                ForEverWithBreak.class,
                Switch.class,
                InCalledMethod.class,
                ThroughLambda.class,
                ByException.class,
                FreshObjects.class,
                Scratch.class,
                TimeStandsStill.class
            })
    void waitForTwoVariablesHasOneEnd(Class<?> scenario) {
        verified(scenario, 1);
        Program program = Program.define("two variables", p -> {
            Variable x = p.variable("x");
            Variable y = p.variable("y");
            p.thread(t -> t.await(() -> t.getVolatile(x) + t.getVolatile(y) == 2));
            p.thread(t -> {
                t.setVolatile(x, 1);
                t.setVolatile(y, 1);
            });
        });
        assertEquals(1, AwaitModelChecker.under(Model.RC11).check(program).complete());
    }

    @Test
    void loopMayBeginInTheMiddleOfAnExpression() {
        // The first read of the switch reads 0 or 1.
        verified(InSwitchExpression.class, 2);
    }

    // Known counts

    /** Checks that a program and a scenario class have the same number of executions. */
    private static void sameCount(Class<?> scenario, int threads, BiConsumer<ModelThread, Variable> body) {
        Program program = Program.define("reference", p -> {
            Variable x = p.variable("x");
            for (int i = 0; i < threads; i++) {
                p.thread(t -> body.accept(t, x));
            }
        });
        Result reference = AwaitModelChecker.under(Model.RC11).check(program);
        Result result = check(scenario);
        assertEquals(reference.verdict(), result.verdict(), result::toString);
        assertEquals(reference.complete(), result.complete(), result::toString);
    }

    static class CompareAndSetRetry {
        private final AtomicInteger x = new AtomicInteger();

        @Actor(3)
        void actor() {
            int now;
            do {
                now = x.get();
            } while (!x.compareAndSet(now, now + 1));
        }
    }

    static class Updated {
        private final AtomicInteger x = new AtomicInteger();

        @Actor(3)
        void actor() {
            x.updateAndGet(now -> now + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {CompareAndSetRetry.class, Updated.class})
    void failedExchangeIsTriedAgain(Class<?> scenario) {
        sameCount(
                scenario,
                3,
                (t, x) -> t.await(() -> {
                    long now = t.getVolatile(x);
                    return t.compareAndSet(x, now, now + 1, Mode.VOLATILE);
                }));
    }

    static class TestAndTestAndSet {
        private final AtomicInteger x = new AtomicInteger();

        @Actor(3)
        void actor() {
            while (true) {
                while (x.get() != 0) {
                    Thread.onSpinWait();
                }
                if (x.getAndSet(1) == 0) {
                    break;
                }
            }
            x.set(0);
        }
    }

    @Test
    void outerLoopWaitsToo() {
        sameCount(TestAndTestAndSet.class, 3, (t, x) -> {
            t.await(() -> {
                t.await(x, Mode.VOLATILE, seen -> seen == 0);
                return t.getAndSet(x, 1, Mode.VOLATILE) == 0;
            });
            t.setVolatile(x, 0);
        });
    }

    static class Recursion {
        private final AtomicInteger x = new AtomicInteger();

        private void lock() {
            if (!x.compareAndSet(0, 1)) {
                lock();
            }
        }

        @Actor(2)
        void actor() {
            lock();
            x.set(0);
        }
    }

    @Test
    void recursionIsNoLoopAndHasABound() {
        Result result = AwaitModelChecker.under(Model.SC).maxEvents(8).check(Recursion.class);
        assertEquals(Verdict.VERIFIED_UP_TO_BOUND, result.verdict(), result::toString);
    }
}
