package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.locks.TicketLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;

/**
 * Measures how long the checks of the locks take. Not a test: a main program, to be run on an idle machine. Each check
 * loads the classes of the lock again, so the checked code is never fully warm.
 */
public final class LockRates {

    private static final int CHECKS = 10;
    private static final int WARM_CHECKS = 200;
    private static final double NANOS_PER_SECOND = 1e9;

    private LockRates() {}

    /** Threads that lock once each. */
    abstract static class Ticket {
        private final TicketLock lock = new TicketLock();
        private int count;

        final void enter() {
            lock.lock();
            count = count + 1;
            lock.unlock();
        }
    }

    static final class TicketSix extends Ticket {
        @Actor(6)
        void enters() {
            enter();
        }
    }

    static final class TicketEight extends Ticket {
        @Actor(8)
        void enters() {
            enter();
        }
    }

    /** Threads that push a node each, and read the node below. */
    abstract static class Push {
        static final VarHandle HEAD = handle(Push.class, "head", Node.class);
        private Node head;

        static final class Node {
            static final VarHandle VALUE = handle(Node.class, "value", int.class);
            private int value;
            private Node next;
        }

        private static VarHandle handle(Class<?> owner, String field, Class<?> type) {
            try {
                return MethodHandles.lookup().findVarHandle(owner, field, type);
            } catch (ReflectiveOperationException thrown) {
                throw new ExceptionInInitializerError(thrown);
            }
        }

        /** Replaces the first node by the second if the first is the head. */
        abstract boolean swap(Node expected, Node node);

        @Actor(4)
        int pushes() {
            Node node = new Node();
            Node.VALUE.setOpaque(node, 1);
            Node.VALUE.setOpaque(node, 2);
            Node below;
            do {
                below = (Node) HEAD.getAcquire(this);
                node.next = below;
            } while (!swap(below, node));
            return below == null ? 0 : (int) Node.VALUE.getOpaque(below);
        }
    }

    /** All accesses to a node precede its publication, so the graph has only its last values. */
    static final class PushInOrder extends Push {
        @Override
        boolean swap(Node expected, Node node) {
            return HEAD.compareAndSet(this, expected, node);
        }
    }

    /** A thread that reaches a node may read any of its values, so the graph has all accesses to it. */
    static final class PushWithoutOrder extends Push {
        @Override
        boolean swap(Node expected, Node node) {
            return HEAD.weakCompareAndSetPlain(this, expected, node);
        }
    }

    /** Checks the ticket lock several times, and each lock with three threads once. */
    public static void main(String[] args) {
        for (int i = 0; i < CHECKS; i++) {
            measure(TicketSix.class);
        }
        measureSearch(TicketSix.class);
        for (int i = 0; i < CHECKS / 2; i++) {
            measure(TicketEight.class);
        }
        SpinLocksVerifiedTest.clients(LockClients.class)
                .filter(client -> client.getSimpleName().endsWith("Three"))
                .forEach(LockRates::measure);
        SpinLocksVerifiedTest.clients(SpinLocksVerifiedTest.class).forEach(LockRates::measure);
        for (int i = 0; i < CHECKS / 2; i++) {
            measure(PushInOrder.class);
            measure(PushWithoutOrder.class);
        }
    }

    /** The rate of the warm search, without the time for loading the classes and for the first execution. */
    private static void measureSearch(Class<?> client) {
        seconds(client, Long.MAX_VALUE);
        double all = seconds(client, Long.MAX_VALUE);
        double loading = seconds(client, 1);
        long complete = SpinLocksVerifiedTest.check(client, Model.RC11).complete();
        System.out.printf(
                Locale.ROOT,
                "%-16s %.4f s per check, of which %.4f s for the first execution; then %,.0f complete/s%n",
                client.getSimpleName(),
                all,
                loading,
                (complete - 1) / (all - loading));
    }

    private static double seconds(Class<?> client, long executions) {
        long begin = System.nanoTime();
        for (int i = 0; i < WARM_CHECKS; i++) {
            AwaitModelChecker.under(Model.RC11)
                    .instrument("dev.cqs.locks")
                    .maxExecutions(executions)
                    .check(client);
        }
        return (System.nanoTime() - begin) / NANOS_PER_SECOND / WARM_CHECKS;
    }

    private static void measure(Class<?> client) {
        long begin = System.nanoTime();
        Result result = SpinLocksVerifiedTest.check(client, Model.RC11);
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        long graphs = result.complete() + result.blocked() + result.abandoned() + result.inconsistent();
        System.out.printf(
                Locale.ROOT,
                "%-16s %,9d complete %,9d blocked %,9d graphs in all, up to %d events, %.2f s, %,.0f complete/s,"
                        + " %,.0f graphs/s%n",
                client.getSimpleName(),
                result.complete(),
                result.blocked(),
                graphs,
                result.largestGraph(),
                seconds,
                result.complete() / seconds,
                graphs / seconds);
    }
}
