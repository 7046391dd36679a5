package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which JDK objects are immutable, and which only look so: iterators, exceptions, clocks. */
class ForeignObjectsTest {

    // Iterators

    /** The second element is compared with a flag that the other actor sets. Each loop ends after two iterations. */
    abstract static class Walks {
        private volatile int flag;

        abstract Iterator<Integer> iterator();

        @Actor
        int walker() {
            int seen = 0;
            Iterator<Integer> numbers = iterator();
            while (numbers.hasNext()) {
                numbers.next();
                if (flag == 0) {
                    seen++;
                }
            }
            return seen;
        }

        @Actor
        void setter() {
            flag = 1;
        }
    }

    static class OverListOf extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return List.of(1, 2).iterator();
        }
    }

    static class OverLongListOf extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return List.of(1, 2, 3, 4).subList(1, 3).iterator();
        }
    }

    static class OverCopyOf extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return List.copyOf(new ArrayList<>(List.of(1, 2))).listIterator();
        }
    }

    static class OverSetOf extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return Set.of(1, 2).iterator();
        }
    }

    static class OverCopyOfSet extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return Set.copyOf(List.of(1, 2, 2)).iterator();
        }
    }

    static class OverKeys extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return Map.of(1, "a", 2, "b").keySet().iterator();
        }
    }

    static class OverToList extends Walks {
        @Override
        Iterator<Integer> iterator() {
            return Stream.of(1, 2).toList().iterator();
        }
    }

    static class OverEntries {
        private volatile int flag;

        @Actor
        int walker() {
            int seen = 0;
            for (Map.Entry<Integer, Integer> entry : Map.of(1, 1, 2, 1).entrySet()) {
                if (flag == 0) {
                    seen += entry.getValue();
                }
            }
            return seen;
        }

        @Actor
        void setter() {
            flag = 1;
        }
    }

    /** The flag is read as set in none, in the last, or in both iterations. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                OverListOf.class,
                OverLongListOf.class,
                OverCopyOf.class,
                OverSetOf.class,
                OverCopyOfSet.class,
                OverKeys.class,
                OverToList.class,
                OverEntries.class
            })
    void loopOverAnIteratorIsNoAwait(Class<?> scenario) {
        assertEquals(set("0", "1", "2"), outcomes(scenario));
        verified(scenario, 3);
    }

    static class WalksAlone {
        private volatile int flag;

        @Actor
        int walker() {
            int seen = 0;
            for (int ignored : List.of(1, 2)) {
                if (flag == 0) {
                    seen = 7;
                }
            }
            return seen;
        }
    }

    /** It was a false hang before: the second iteration equals the first. */
    @Test
    void loopOverAnIteratorHangsForNobody() {
        assertEquals(set("7"), outcomes(WalksAlone.class));
    }

    static class SharesAnIterator {
        private final ListIterator<Integer> numbers = List.of(1, 2).listIterator();

        @Actor(2)
        int actor() {
            return numbers.next();
        }
    }

    static class SharesAnIteratorOfASet {
        private final Iterator<Integer> numbers = Set.of(1, 2).iterator();

        @Actor(2)
        int actor() {
            return numbers.next();
        }
    }

    static class SharesASpliterator {
        private final java.util.Spliterator<Integer> numbers = List.of(1, 2).spliterator();

        @Actor(2)
        boolean actor() {
            return numbers.tryAdvance(number -> {});
        }
    }

    static class SharesAClock {
        private final Clock clock = Clock.tickMillis(java.time.ZoneOffset.UTC);

        @Actor(2)
        long actor() {
            return clock.millis();
        }
    }

    static Stream<Class<?>> sharing() {
        return Stream.of(
                SharesAnIterator.class, SharesAnIteratorOfASet.class, SharesASpliterator.class, SharesAClock.class);
    }

    @ParameterizedTest
    @MethodSource("sharing")
    void whatOnlyLooksImmutableIsNotShared(Class<?> scenario) {
        refused(scenario, "is shared between threads");
    }

    static class SharesValues {
        private final List<Integer> part = List.of(1, 2, 3, 4).subList(1, 3);
        private final Map<String, Set<Integer>> map = Map.of("a", Set.of(5));
        private final Duration duration = Duration.ofSeconds(6);
        private final Optional<String> text = Optional.of("seven");
        private volatile TimeUnit unit;
        private volatile List<Integer> published;

        @Actor
        int first() {
            published = Stream.of(8, 9).toList();
            unit = TimeUnit.SECONDS;
            return part.get(1)
                    + map.get("a").size()
                    + (int) duration.toSeconds()
                    + text.get().length();
        }

        @Actor
        long second() {
            return unit == null ? 0 : published.get(0) + unit.toMillis(1);
        }
    }

    @Test
    void whatNeverChangesIsShared() {
        assertEquals(set("15,0", "15,1008"), outcomes(SharesValues.class));
    }

    // Exceptions

    static class Published {
        static final VarHandle FAILURE;
        private Throwable failure;

        static {
            try {
                FAILURE = MethodHandles.lookup().findVarHandle(Published.class, "failure", Throwable.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        void publish(Throwable thrown) {
            FAILURE.setRelease(this, thrown);
        }

        Throwable get() {
            return (Throwable) FAILURE.getAcquire(this);
        }

        @Actor
        void fails() {
            publish(new IllegalStateException("closed", new RuntimeException("cause")));
        }

        @Actor
        int asks() {
            Throwable seen = get();
            return seen == null
                    ? 0
                    : seen.getMessage().length() + seen.getCause().getMessage().length();
        }
    }

    static class PublishedWithoutOrder extends Published {
        @Override
        void publish(Throwable thrown) {
            FAILURE.setOpaque(this, thrown);
        }
    }

    static class ReadWithoutOrder extends Published {
        @Override
        Throwable get() {
            return (Throwable) FAILURE.getOpaque(this);
        }
    }

    static class OwnWithoutOrder extends PublishedWithoutOrder {
        static class Own extends RuntimeException {
            private static final long serialVersionUID = 1L;

            Own() {
                super("own", new RuntimeException("cause"));
            }
        }

        @Actor
        @Override
        void fails() {
            publish(new Own());
        }
    }

    /** The message of an exception is in a non-final field. */
    @Test
    void exceptionIsPublishedLikeAnyOtherObject() {
        assertEquals(set("0", "11"), outcomes(Published.class));
        expect(PublishedWithoutOrder.class, Verdict.DATA_RACE);
        expect(ReadWithoutOrder.class, Verdict.DATA_RACE);
        expect(OwnWithoutOrder.class, Verdict.DATA_RACE);
    }

    static class InAFinalField {
        record Failure(Throwable thrown) {}

        static final VarHandle FAILURE;
        private Failure failure;

        static {
            try {
                FAILURE = MethodHandles.lookup().findVarHandle(InAFinalField.class, "failure", Failure.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @Actor
        void fails() {
            FAILURE.setOpaque(this, new Failure(new IllegalStateException("closed")));
        }

        @Actor
        int asks() {
            Failure seen = (Failure) FAILURE.getOpaque(this);
            return seen == null ? 0 : seen.thrown().getMessage().length();
        }
    }

    @Test
    void exceptionBehindAFinalFieldIsSeen() {
        assertEquals(set("0", "6"), outcomes(InAFinalField.class));
    }

    static class AddsToAShared {
        private final Throwable failure = new IllegalStateException();

        @Actor(2)
        int actor() {
            failure.addSuppressed(new RuntimeException());
            return failure.getSuppressed().length;
        }
    }

    static class SetsTheCauseOfAShared {
        private final RuntimeException failure = new IllegalStateException("no cause yet");

        @Actor
        void sets() {
            failure.initCause(new RuntimeException("cause"));
        }

        @Actor
        boolean asks() {
            return failure.getCause() == null;
        }
    }

    static class SetsTheTraceOfAPublished {
        private volatile Exception failure;

        @Actor
        void publishes() {
            Exception made = new Exception();
            failure = made;
            made.setStackTrace(new StackTraceElement[0]);
        }

        @Actor
        int asks() {
            return failure == null ? 0 : failure.getStackTrace().length;
        }
    }

    static class AddsToTheCauseOfAShared {
        private volatile Exception failure;

        @Actor
        void publishes() {
            failure = new Exception(new RuntimeException("cause"));
        }

        @Actor
        void adds() {
            Exception seen = failure;
            if (seen != null) {
                seen.getCause().addSuppressed(new RuntimeException());
            }
        }
    }

    static class AddsByReference {
        private final Throwable failure = new IllegalStateException();

        @Actor(2)
        void actor() {
            java.util.function.Consumer<Throwable> add = failure::addSuppressed;
            add.accept(new RuntimeException());
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AddsToAShared.class,
                SetsTheCauseOfAShared.class,
                SetsTheTraceOfAPublished.class,
                AddsToTheCauseOfAShared.class,
                AddsByReference.class
            })
    void exceptionThatOthersKnowIsNotChanged(Class<?> scenario) {
        refused(scenario, "that other threads may have is changed", "Make another exception");
    }

    static class AddsToItsOwn {
        private volatile int flag;
        private volatile Throwable failure;

        @Actor
        void tries() {
            Exception all = new Exception("all");
            try {
                while (all.getSuppressed().length < 2) {
                    if (flag == 0) {
                        all.addSuppressed(new RuntimeException("once"));
                    } else {
                        all.addSuppressed(new RuntimeException("once more"));
                    }
                }
            } finally {
                failure = all;
            }
        }

        @Actor
        void setter() {
            flag = 1;
        }

        @Arbiter
        int end() {
            return failure.getSuppressed().length;
        }
    }

    /** Each iteration adds an element, so it is no failed iteration of an await. */
    @Test
    void exceptionOfItsOwnMayBeChanged() {
        assertEquals(set("2"), outcomes(AddsToItsOwn.class));
        verified(AddsToItsOwn.class, 3);
    }

    static class HoldsAList {
        static class WithList extends RuntimeException {
            private static final long serialVersionUID = 1L;
            private final ArrayList<Integer> list = new ArrayList<>();
        }

        private volatile WithList failure;

        @Actor
        void fails() {
            failure = new WithList();
        }

        @Actor
        int asks() {
            return failure == null ? 0 : failure.list.size();
        }
    }

    @Test
    void whatAnExceptionHoldsIsLookedAt() {
        refused(HoldsAList.class, "java.util.ArrayList is shared");
    }
}
