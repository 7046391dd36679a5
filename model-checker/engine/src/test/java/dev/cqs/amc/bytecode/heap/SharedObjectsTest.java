package dev.cqs.amc.bytecode.heap;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static dev.cqs.amc.bytecode.Checking.verified;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sharing a mutable foreign object is always detected, however threads get the reference.
 */
class SharedObjectsTest {

    static class InStaticFinalField {
        private static final ReentrantLock LOCK = new ReentrantLock();
        private int x;

        @Actor(2)
        void actor() {
            LOCK.lock();
            x++;
            LOCK.unlock();
        }
    }

    static class InFinalField {
        private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();

        @Actor(2)
        void actor() {
            map.put("a", "b");
        }
    }

    static class InPlainField {
        private LongAdder adder = new LongAdder();

        @Actor(2)
        void actor() {
            adder.increment();
        }
    }

    static class InFieldOfInterface {
        interface Sink {
            void put();
        }

        private final Sink sink = UninstrumentedSink.make();

        @Actor(2)
        void actor() {
            sink.put();
        }
    }

    static class CapturedByLambda {
        private final Runnable add;

        CapturedByLambda() {
            LongAdder adder = new LongAdder();
            add = () -> adder.increment();
        }

        @Actor(2)
        void actor() {
            add.run();
        }
    }

    static class CapturedByLambdaInLambda {
        private final Runnable add;

        CapturedByLambdaInLambda() {
            List<Integer> list = new ArrayList<>();
            Runnable inner = () -> list.add(1);
            add = () -> inner.run();
        }

        @Actor(2)
        void actor() {
            add.run();
        }
    }

    static class CapturedByReference {
        private final Supplier<Integer> size;

        CapturedByReference() {
            List<Integer> list = new ArrayList<>();
            size = list::size;
        }

        @Actor(2)
        int actor() {
            return size.get();
        }
    }

    static class CapturedByLambdaOfTheJdk {
        private final Function<Integer, Integer> function;

        CapturedByLambdaOfTheJdk() {
            List<Integer> list = new ArrayList<>();
            Function<Integer, Integer> first = one -> one + 1;
            function = first.andThen(one -> {
                list.add(one);
                return list.size();
            });
        }

        @Actor(2)
        int actor() {
            return function.apply(1);
        }
    }

    static class InList {
        private final List<Object> list = new ArrayList<>(List.of(new Object()));

        @Actor(2)
        int actor() {
            return list.size();
        }
    }

    static class InImmutableList {
        private final List<List<Integer>> lists = List.of(new ArrayList<>());

        @Actor(2)
        void actor() {
            lists.get(0).add(1);
        }
    }

    static class InImmutableMap {
        private final Map<String, List<Integer>> lists = Map.of("a", new ArrayList<>());

        @Actor(2)
        void actor() {
            lists.get("a").add(1);
        }
    }

    static class InOptional {
        private final Optional<ConcurrentLinkedQueue<Integer>> queue = Optional.of(new ConcurrentLinkedQueue<>());

        @Actor(2)
        void actor() {
            queue.get().add(1);
        }
    }

    static class InRecord {
        record Pair(List<Integer> list, int number) {}

        private final Pair pair = new Pair(new ArrayList<>(), 1);

        @Actor(2)
        void actor() {
            pair.list().add(1);
        }
    }

    static class InArray {
        private final Object[] array = {new LongAccumulator(Long::max, 0)};

        @Actor(2)
        void actor() {
            ((LongAccumulator) array[0]).get();
        }
    }

    static class InArrayOfArrays {
        private final List<?>[][] array = {{new ArrayList<>()}};

        @Actor(2)
        int actor() {
            return array[0][0].size();
        }
    }

    static class AsSuperClass {
        static class Lock extends ReentrantLock {
            private static final long serialVersionUID = 1L;
        }

        private final Lock lock = new Lock();

        @Actor(2)
        void actor() {
            lock.lock();
            lock.unlock();
        }
    }

    static class AsSuperClassOfTheScenario extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        @Actor(2)
        void actor() {
            lock();
            unlock();
        }
    }

    static class AsSuperClassOfWhatIsPublished {
        static class Bag extends ArrayList<String> {
            private static final long serialVersionUID = 1L;
        }

        private volatile Bag bag;

        @Actor
        void writer() {
            bag = new Bag();
        }

        @Actor
        int reader() {
            return bag == null ? 0 : bag.size();
        }
    }

    static class MadeByAnActor {
        private volatile Object list;

        @Actor
        void writer() {
            list = new ArrayList<>();
        }

        @Actor
        boolean reader() {
            return list == null;
        }
    }

    static class InListThatAnActorPublishes {
        private volatile List<Object> list;

        @Actor
        void writer() {
            list = List.of(new ArrayList<>());
        }

        @Actor
        boolean reader() {
            List<Object> seen = list;
            return seen != null && ((List<?>) seen.get(0)).isEmpty();
        }
    }

    static class InLambdaThatAnActorPublishes {
        private volatile Supplier<Boolean> isEmpty;

        @Actor
        void writer() {
            List<Object> list = new ArrayList<>();
            isEmpty = () -> list.isEmpty();
        }

        @Actor
        boolean reader() {
            Supplier<Boolean> seen = isEmpty;
            return seen != null && seen.get();
        }
    }

    static Stream<Class<?>> sharing() {
        return Stream.of(
                InStaticFinalField.class,
                InFinalField.class,
                InPlainField.class,
                InFieldOfInterface.class,
                CapturedByLambda.class,
                CapturedByLambdaInLambda.class,
                CapturedByReference.class,
                CapturedByLambdaOfTheJdk.class,
                InList.class,
                InImmutableList.class,
                InImmutableMap.class,
                InOptional.class,
                InRecord.class,
                InArray.class,
                InArrayOfArrays.class,
                AsSuperClass.class,
                AsSuperClassOfTheScenario.class,
                AsSuperClassOfWhatIsPublished.class,
                MadeByAnActor.class,
                InListThatAnActorPublishes.class,
                InLambdaThatAnActorPublishes.class);
    }

    @ParameterizedTest
    @MethodSource("sharing")
    void whatCanNotBeWatchedIsNotShared(Class<?> scenario) {
        refused(scenario, "is shared between threads", "or give each thread its own");
    }

    static class CaughtByTheActor {
        private final List<Integer> list = new ArrayList<>();

        @Actor(2)
        void actor() {
            try {
                list.add(1);
            } catch (RuntimeException e) {
                // The checker's exception is no exception of the program.
            }
        }
    }

    static class CaughtByTheJdk {
        private final List<Integer> list = new ArrayList<>();

        @Actor(2)
        void actor() {
            CompletableFuture.completedFuture(1).thenApply(one -> list.add(one));
        }
    }

    static class OverriddenInFinally {
        private final List<Integer> list = new ArrayList<>();

        @SuppressWarnings("finally")
        @Actor(2)
        void actor() {
            try {
                list.add(1);
            } finally {
                return;
            }
        }
    }

    static class CaughtWhereAnotherThreadIsRunFirst {
        static class Node {
            private final List<Integer> list = new ArrayList<>();
        }

        private volatile Node node;

        @Actor
        int reader() {
            try {
                Node seen = node;
                return seen == null ? -1 : seen.list.size();
            } catch (RuntimeException e) {
                return 5;
            }
        }

        @Actor
        void writer() {
            node = new Node();
        }
    }

    static Stream<Class<?>> swallowing() {
        return Stream.of(CaughtByTheActor.class, OverriddenInFinally.class, CaughtWhereAnotherThreadIsRunFirst.class);
    }

    @ParameterizedTest
    @MethodSource("swallowing")
    void noProgramCanSwallowARefusal(Class<?> scenario) {
        refused(scenario, "java.util.ArrayList");
    }

    @Test
    void refusalIsNotSwallowedByTheJdkEither() {
        refused(CaughtByTheJdk.class, "java.util.ArrayList");
    }

    // Harmless objects

    static class Harmless {
        enum Kind {
            ONE,
            TWO
        }

        record Pair(String name, Kind kind) {}

        private static final String NAME = "name";
        private final Optional<String> optional = Optional.of("a");
        private final List<Kind> kinds = List.of(Kind.ONE, Kind.TWO);
        private final Comparator<String> order = Comparator.naturalOrder();
        private final Pair pair = new Pair("a", Kind.TWO);
        private final Object lock = new Object();
        private final AtomicInteger count = new AtomicInteger();
        private final Runnable increment = count::incrementAndGet;

        @Actor(2)
        void actor() {
            synchronized (lock) {
                assert optional.get().equals("a") && kinds.get(1) == Kind.TWO && order.compare("a", "b") < 0;
                assert pair.kind() == Kind.TWO && NAME.length() == 4;
            }
            increment.run();
        }
    }

    @Test
    void whatCanNotChangeIsShared() {
        // Two orders of the lock, and two of the counter, of which one needs a thread that overtakes the other in
        // between.
        assertEquals(4, expect(Harmless.class, Verdict.VERIFIED).complete());
    }

    static class LocalObjects {
        static class Bag extends ArrayList<Integer> {
            private static final long serialVersionUID = 1L;
            private int adds;

            Bag(List<Integer> first) {
                addAll(first);
            }

            @Override
            public boolean add(Integer number) {
                adds++;
                return super.add(number);
            }
        }

        static class Holder {
            private final List<Integer> list = new ArrayList<>();
        }

        @Actor(2)
        int actor() {
            ReentrantLock lock = new ReentrantLock();
            Bag bag = new Bag(List.of(1, 2));
            Holder holder = new Holder();
            lock.lock();
            bag.add(3);
            holder.list.addAll(bag);
            lock.unlock();
            return holder.list.size() + bag.adds;
        }
    }

    @Test
    void whatOneThreadHasForItselfNeedsNotBeWatched() {
        assertEquals(0, verified(LocalObjects.class, 1).largestGraph());
        assertEquals(set("4,4"), outcomes(LocalObjects.class));
    }

    static class CallsBackFromConstructor {
        static class Numbers extends java.util.HashSet<Integer> {
            private static final long serialVersionUID = 1L;
            private int adds;

            Numbers(List<Integer> first) {
                super(first);
            }

            @Override
            public boolean add(Integer number) {
                adds++;
                return super.add(number);
            }
        }

        @Actor
        int actor() {
            Numbers numbers = new Numbers(List.of(1, 2, 3));
            return numbers.size() + 10 * numbers.adds;
        }
    }

    @Test
    void constructorOfTheJdkMayCallWhatIsOverridden() {
        assertEquals(set("33"), outcomes(CallsBackFromConstructor.class));
    }

    static class EmptyOnes {
        private volatile Optional<String> one;
        private volatile Optional<String> other;
        private volatile List<String> list;

        @Actor
        boolean first() {
            one = Optional.empty();
            list = List.of();
            return other != null && other.isPresent();
        }

        @Actor
        boolean second() {
            if (one != null) {
                other = Optional.empty();
            }
            return list == null || list.isEmpty();
        }
    }

    @Test
    void emptyOnesAreTheSameForAll() {
        assertEquals(set("0,1"), outcomes(EmptyOnes.class));
    }
}
