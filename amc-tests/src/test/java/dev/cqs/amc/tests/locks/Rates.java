package dev.cqs.amc.tests.locks;

import dev.cqs.amc.Actor;
import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.locks.TicketLock;
import java.util.Locale;

/**
 * Measures how long the locks take to be checked. Not a test: a main program, to be run when nothing else does. Each check loads
 * the classes of the lock anew, so the code that is checked is never quite warm.
 */
public final class Rates {

    private static final int CHECKS = 10;
    private static final int WARM_CHECKS = 200;
    private static final double NANOS_PER_SECOND = 1e9;

    private Rates() {
    }

    /** Threads that enter once each. */
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

    /** Checks the ticket lock some times, and each lock for three threads once. */
    public static void main(String[] args) {
        for (int i = 0; i < CHECKS; i++) {
            measure(TicketSix.class);
        }
        measureSearch(TicketSix.class);
        for (int i = 0; i < CHECKS / 2; i++) {
            measure(TicketEight.class);
        }
        LocksTest.clients(LockClients.class).filter(client -> client.getSimpleName().endsWith("Three")).forEach(Rates::measure);
        LocksTest.clients(LocksTest.class).forEach(Rates::measure);
    }

    /** How fast the search is when it is warm, and the time is left out that it takes to load the classes and to run them once. */
    private static void measureSearch(Class<?> client) {
        seconds(client, Long.MAX_VALUE);
        double all = seconds(client, Long.MAX_VALUE);
        double loading = seconds(client, 1);
        long complete = LocksTest.check(client, Model.RC11).complete();
        System.out.printf(Locale.ROOT, "%-16s %.4f s per check, of which %.4f s for the first execution; then %,.0f complete/s%n",
                client.getSimpleName(), all, loading, (complete - 1) / (all - loading));
    }

    private static double seconds(Class<?> client, long executions) {
        long begin = System.nanoTime();
        for (int i = 0; i < WARM_CHECKS; i++) {
            AwaitModelChecker.under(Model.RC11).instrument("dev.cqs.locks").maxExecutions(executions).check(client);
        }
        return (System.nanoTime() - begin) / NANOS_PER_SECOND / WARM_CHECKS;
    }

    private static void measure(Class<?> client) {
        long begin = System.nanoTime();
        Result result = LocksTest.check(client, Model.RC11);
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        long graphs = result.complete() + result.blocked() + result.abandoned() + result.inconsistent();
        System.out.printf(Locale.ROOT, "%-16s %,9d complete %,9d blocked %,9d graphs in all, up to %d events, %.2f s, %,.0f complete/s,"
                + " %,.0f graphs/s%n", client.getSimpleName(), result.complete(), result.blocked(), graphs, result.largestGraph(), seconds,
                result.complete() / seconds, graphs / seconds);
    }
}
