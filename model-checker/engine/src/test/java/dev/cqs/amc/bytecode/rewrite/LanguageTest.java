package dev.cqs.amc.bytecode.rewrite;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Language features keep their meaning after instrumentation. */
class LanguageTest {

    /** One actor writes static and instance fields of all types before a flag; the other reads them. */
    static class FieldsOfAllTypes {
        private boolean truth;
        private byte small;
        private short medium;
        private char letter;
        private int number;
        private long big;
        private float real;
        private double precise;
        private String text;
        private static boolean staticTruth;
        private static byte staticSmall = 5;
        private static char staticLetter;
        private static long staticBig;
        private static double staticPrecise;
        private static FieldsOfAllTypes staticSelf;
        private volatile boolean ready;

        @Actor
        void writer() {
            truth ^= true;
            small--;
            medium += 40_000;
            letter--;
            number = Integer.MAX_VALUE + 1 - (number++);
            big = ~big;
            real = Float.MIN_VALUE;
            precise = Double.NaN;
            text += "!";
            staticTruth = true;
            staticSmall *= 100;
            staticLetter = 'x';
            staticBig = 1L << 40;
            staticPrecise = 0.1;
            staticSelf = this;
            ready = true;
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            assert truth
                    && small == -1
                    && medium == (short) 40_000
                    && letter == '\uffff'
                    && number == Integer.MIN_VALUE;
            assert big == -1 && real == Float.MIN_VALUE && Double.isNaN(precise) && text.equals("null!");
            assert staticTruth && staticSmall == (byte) 500 && staticLetter == 'x' && staticBig == 1L << 40;
            assert staticPrecise == 0.1 && staticSelf == this;
            return true;
        }
    }

    /** A base class with a private field, and a subclass with a field of the same name. */
    static class Base<T> {
        private int count = 1;
        T value;

        T get() {
            return value;
        }

        void set(T next) {
            value = next;
        }

        int baseCount() {
            return count;
        }
    }

    static class Inheritance {
        interface Named {
            List<String> NAMES = List.of("a", "b");

            static String last() {
                return NAMES.get(1);
            }

            default String name() {
                return secret() + last();
            }

            private String secret() {
                return "s";
            }
        }

        static class Derived extends Base<String> implements Named {
            private int count = 2;

            @Override
            void set(String next) {
                super.set(next + count);
            }

            @Override
            String get() {
                return super.get();
            }
        }

        private final Derived derived = new Derived();
        private volatile boolean ready;

        @Actor
        void writer() {
            Base<String> base = derived;
            base.set("x");
            derived.count++;
            ready = true;
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            assert derived.get().equals("x2")
                    && derived.count == 3
                    && derived.baseCount() == 1
                    && derived.name().equals("sb");
            return true;
        }
    }

    static class InnerClassesAndLambdas {
        private int hidden;
        private volatile boolean ready;

        class Inner {
            private int step = 2;

            void add() {
                hidden += step;
                Supplier<Inner> make = Inner::new;
                make.get().step++;
            }
        }

        record Point(int x, int y) {
            Point {
                assert x >= 0;
            }

            int sum() {
                return x + y;
            }
        }

        sealed interface Shape permits Round, Flat {}

        record Round(Point at) implements Shape {}

        static final class Flat implements Shape {}

        private volatile Shape shape = new Flat();

        @Actor
        void writer() {
            int local = 3;
            IntSupplier more = () -> hidden + local;
            new Inner().add();
            hidden = more.getAsInt();
            BiFunction<Integer, Integer, Point> make = Point::new;
            shape = new Round(make.apply(hidden, local));
            ready = true;
        }

        private String describe(String kind) {
            return switch (kind) {
                case "Round" -> "round";
                case "Flat" -> "flat";
                default -> throw new IllegalStateException(kind);
            };
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            Shape seen = shape;
            assert seen instanceof Round round && round.at().sum() == 8 && round.equals(new Round(new Point(5, 3)));
            assert seen.toString().equals("Round[at=Point[x=5, y=3]]") : seen;
            assert describe(seen.getClass().getSimpleName()).equals("round") && ("" + hidden + 'c' + 1L).equals("5c1");
            return true;
        }
    }

    enum Phase {
        IDLE(0) {
            @Override
            Phase next() {
                return BUSY;
            }
        },
        BUSY(1) {
            @Override
            Phase next() {
                return IDLE;
            }
        };

        private final int number;
        private int visits;

        Phase(int number) {
            this.number = number;
        }

        abstract Phase next();
    }

    static class Enums {
        private Phase phase = Phase.IDLE;
        private volatile boolean ready;

        @Actor
        void writer() {
            phase = phase.next();
            Phase.BUSY.visits++;
            ready = true;
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            assert phase == Phase.BUSY && phase.number == 1 && Phase.valueOf("BUSY").visits == 1;
            int found = switch (phase) {
                case IDLE -> 1;
                case BUSY -> 2;
            };
            assert found == 2 && Phase.values()[1] == phase;
            return true;
        }
    }

    static class Exceptions {
        static class Problem extends Exception {
            private static final long serialVersionUID = 1L;
            private final int code;
            private int times;

            Problem(int code) {
                super("problem " + code);
                this.code = code;
            }
        }

        static class Resource implements AutoCloseable {
            private final StringBuilder log;

            Resource(StringBuilder log) {
                this.log = log.append("open ");
            }

            @Override
            public void close() throws Problem {
                log.append("close ");
                throw new Problem(2);
            }
        }

        private Problem problem;
        private volatile boolean ready;

        private static String use() {
            StringBuilder log = new StringBuilder();
            try (Resource resource = new Resource(log)) {
                throw new Problem(1);
            } catch (Problem problem) {
                log.append(problem.code).append(problem.getSuppressed().length);
            } finally {
                log.append(" end");
            }
            return log.toString();
        }

        @Actor
        void writer() {
            try {
                throw new Problem(7);
            } catch (Problem | RuntimeException caught) {
                problem = (Problem) caught;
                problem.times++;
            }
            assert use().equals("open close 11 end") : use();
            ready = true;
        }

        @Actor
        boolean reader() {
            if (!ready) {
                return false;
            }
            assert problem.code == 7
                    && problem.times == 1
                    && problem.getMessage().equals("problem 7");
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FieldsOfAllTypes.class,
                Inheritance.class,
                InnerClassesAndLambdas.class,
                Enums.class,
                Exceptions.class
            })
    void whatIsWrittenBeforeTheFlagIsReadAfterIt(Class<?> scenario) {
        assertEquals(set("0", "1"), outcomes(scenario));
    }

    static class MonitorsLeftByException {
        private int count;

        private synchronized void add(int more) {
            synchronized (this) {
                count += more;
                if (more > 0) {
                    throw new IllegalStateException();
                }
            }
        }

        private static synchronized void fail() {
            throw new IllegalArgumentException();
        }

        @Actor(2)
        void actor() {
            try {
                add(1);
            } catch (IllegalStateException e) {
                add(0);
            }
            try {
                fail();
            } catch (IllegalArgumentException e) {
                synchronized (MonitorsLeftByException.class) {
                    add(0);
                }
            }
        }

        @Arbiter
        int end() {
            return count;
        }
    }

    @Test
    void monitorsAreLeftByExceptions() {
        assertEquals(set("2"), outcomes(MonitorsLeftByException.class));
    }

    static class UncaughtException {
        private volatile int x;

        @Actor
        void first() {
            x = 1;
        }

        @Actor
        void second() {
            List<Integer> list = new ArrayList<>();
            if (x == 1) {
                list.get(0);
            }
        }
    }

    @Test
    void exceptionThatNobodyCatchesIsAnError() {
        Result result = expect(UncaughtException.class, Verdict.EXCEPTION);
        assertInstanceOf(
                IndexOutOfBoundsException.class, result.counterExample().cause());
    }

    static class FinallyOnTheWayOut {
        private volatile int x;
        private volatile int cleanUps;

        @Actor(2)
        void actor() {
            try {
                x++;
                while (x < 2) {
                    Thread.onSpinWait();
                }
            } catch (Throwable thrown) {
                throw new AssertionError("no error of the checker is seen", thrown);
            } finally {
                cleanUps++;
            }
        }

        @Arbiter
        void end() {
            assert cleanUps > 0;
        }
    }

    @Test
    void threadThatIsTakenOutOfItsCodeDoesNothingMore() {
        // Both may read 0 and write 1, and then both wait forever.
        expect(FinallyOnTheWayOut.class, Verdict.HANG);
    }

    static class InitializedByAnActor {
        static class Late {
            static int count = 40;
            static final Object LOCK = new Object();

            static {
                for (int i = 0; i < 2; i++) {
                    count++;
                }
            }
        }

        @Actor(2)
        int actor() {
            synchronized (Late.LOCK) {
                return Late.count++;
            }
        }
    }

    @Test
    void initializerIsPartOfTheSetUpWhicheverThreadRunsIt() {
        assertEquals(set("42,43", "43,42"), outcomes(InitializedByAnActor.class));
    }
}
