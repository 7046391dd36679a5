package dev.cqs.modelchecked.primitives;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.modelchecked.queue.Ticket;
import dev.cqs.sync.ClosedException;
import dev.cqs.threads.BlockingPool;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Scenarios of pools, each for a queue and a stack. */
final class Pools {

    private static final BiFunction<Object, Ticket, Ticket> ITSELF = (pool, ticket) -> ticket;

    private Pools() {}

    /** An element that its holder writes to. */
    static final class Element {

        int uses;
    }

    /** A pool whose elements are lent to one holder at a time. */
    abstract static class Lending {

        final BlockingPool<Element> pool;

        Lending(boolean stack) {
            pool = stack ? BlockingPool.stack() : BlockingPool.queue();
        }

        final void use(Element element) {
            element.uses++;
        }

        /** Takes all elements, whose number must be {@code elements}, and returns how often they were used. */
        final int uses(int elements) {
            int uses = 0;
            for (int i = 0; i < elements; i++) {
                Element element = pool.tryTake();
                assert element != null : "an element is lost";
                uses += element.uses;
            }
            assert pool.tryTake() == null : "an element is there twice";
            assert pool.getQueueLength() == 0 : "a request is still counted as waiting";
            return uses;
        }
    }

    /** Two threads use one element. */
    abstract static class TwoTakeTurns extends Lending {

        TwoTakeTurns(boolean stack) {
            super(stack);
            pool.put(new Element());
        }

        @Actor(2)
        void takesTurns(int me) {
            Element element = pool.takeUninterruptibly();
            use(element);
            pool.put(element);
        }

        @Arbiter
        void isThere() {
            assert uses(1) == 2;
        }
    }

    static class QueueTwoTakeTurns extends TwoTakeTurns {
        QueueTwoTakeTurns() {
            super(false);
        }
    }

    static class StackTwoTakeTurns extends TwoTakeTurns {
        StackTwoTakeTurns() {
            super(true);
        }
    }

    /** Three threads that do not wait, and put back what they get. There is one element at first and two at the end. */
    abstract static class TryAndPut extends Lending {

        TryAndPut(boolean stack) {
            super(stack);
            pool.put(new Element());
        }

        @Actor(2)
        boolean tries(int me) {
            Element element = pool.tryTake();
            if (element != null) {
                use(element);
                pool.put(element);
            }
            return element != null;
        }

        @Actor
        void puts() {
            Element element = new Element();
            use(element);
            pool.put(element);
        }

        @Arbiter
        void areThere() {
            assert uses(2) > 1;
        }
    }

    static class QueueTryAndPut extends TryAndPut {
        QueueTryAndPut() {
            super(false);
        }
    }

    static class StackTryAndPut extends TryAndPut {
        StackTryAndPut() {
            super(true);
        }
    }

    /** One thread waits with a timeout, and another puts an element. */
    abstract static class PollAndPut extends Lending {

        PollAndPut(boolean stack) {
            super(stack);
        }

        @Actor
        void polls() throws InterruptedException {
            Element element = pool.poll(1, TimeUnit.SECONDS);
            if (element != null) {
                use(element);
                pool.put(element);
            }
        }

        @Actor
        void puts() {
            Element element = new Element();
            use(element);
            pool.put(element);
        }

        @Arbiter
        void isThere() {
            assert uses(1) > 0;
        }
    }

    static class QueuePollAndPut extends PollAndPut {
        QueuePollAndPut() {
            super(false);
        }
    }

    static class StackPollAndPut extends PollAndPut {
        StackPollAndPut() {
            super(true);
        }
    }

    /** Two wait. The first is cancelled while two elements are put. */
    abstract static class LineLeaves extends Lending {

        private final Ticket first = new Ticket();
        private final Ticket second = new Ticket();
        private boolean left;

        LineLeaves(boolean stack) {
            super(stack);
            enter(first);
            enter(second);
        }

        private void enter(Ticket ticket) {
            assert pool.core().take(ticket, ITSELF) == ticket;
        }

        @Actor(2)
        void puts(int me) {
            pool.put(new Element());
        }

        @Actor
        void leaves() {
            left = first.giveUp();
        }

        @Arbiter
        void nothingIsLost() {
            assert second.isGranted() && first.isGranted() != left;
            assert first.value() != second.value();
            uses(left ? 1 : 0);
        }
    }

    static class QueueLineLeaves extends LineLeaves {
        QueueLineLeaves() {
            super(false);
        }
    }

    static class StackLineLeaves extends LineLeaves {
        StackLineLeaves() {
            super(true);
        }
    }

    /** One waits while the pool is closed and an element is put. */
    abstract static class Closes extends Lending {

        private final Ticket waiting = new Ticket();
        private boolean closed;
        private int drained;

        Closes(boolean stack) {
            super(stack);
            assert pool.core().take(waiting, ITSELF) == waiting;
        }

        @Actor
        void puts() {
            pool.put(new Element());
        }

        @Actor
        void closes() {
            pool.close();
        }

        @Actor
        void tries() {
            try {
                Element element = pool.tryTake();
                assert element == null : "the waiter was overtaken";
            } catch (ClosedException expected) {
                closed = true;
            }
        }

        @Arbiter
        void isServedOrFails() {
            int elements = waiting.value() instanceof Element ? 0 : 1;
            drained = pool.drain(element -> {});
            assert waiting.isGranted() && drained == elements;
        }
    }

    static class QueueCloses extends Closes {
        QueueCloses() {
            super(false);
        }
    }

    static class StackCloses extends Closes {
        StackCloses() {
            super(true);
        }
    }
}
