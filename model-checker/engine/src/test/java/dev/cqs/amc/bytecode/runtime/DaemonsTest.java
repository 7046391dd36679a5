package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.expect;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Arbiter;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Daemon threads: they may wait forever, and the program ends without them. */
class DaemonsTest {

    abstract static class HasAServant {
        private final AtomicInteger served = new AtomicInteger();
        private volatile boolean asked;

        abstract boolean isDaemon();

        @Actor
        void actor() {
            Thread servant = new Thread(() -> {
                while (true) {
                    LockSupport.park();
                    if (asked) {
                        asked = false;
                        served.incrementAndGet();
                    }
                }
            });
            servant.setDaemon(isDaemon());
            servant.start();
            asked = true;
            LockSupport.unpark(servant);
        }

        @Arbiter
        int end() {
            return served.get();
        }
    }

    static class HasADaemon extends HasAServant {
        @Override
        boolean isDaemon() {
            return true;
        }
    }

    static class HasNoDaemon extends HasAServant {
        @Override
        boolean isDaemon() {
            return false;
        }
    }

    static class DaemonWaitsInAMonitor {
        private final Object lock = new Object();
        private int x;

        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                synchronized (lock) {
                    while (true) {
                        try {
                            lock.wait();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            });
            daemon.setDaemon(true);
            daemon.start();
            synchronized (lock) {
                x++;
            }
        }

        @Arbiter
        int end() {
            synchronized (lock) {
                lock.notifyAll();
            }
            return x;
        }
    }

    static class JoinsADaemon {
        @Actor
        void actor() throws InterruptedException {
            Thread daemon = new Thread(LockSupport::park);
            daemon.setDaemon(true);
            daemon.start();
            daemon.join();
        }
    }

    static class DaemonHoldsALock {
        private final Object lock = new Object();

        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                synchronized (lock) {
                    LockSupport.park();
                }
            });
            daemon.setDaemon(true);
            daemon.start();
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    static class DaemonFails {
        @Actor
        void actor() {
            Thread daemon = new Thread(() -> {
                throw new IllegalStateException("a daemon fails");
            });
            daemon.setDaemon(true);
            daemon.start();
        }
    }

    /** A daemon makes a thread that waits forever. */
    static class DaemonMakesAThread {
        volatile boolean inherited;

        void prepare(Thread made) {}

        @Actor
        boolean actor() {
            Thread daemon = new Thread(() -> {
                Thread made = new Thread(LockSupport::park, "made");
                prepare(made);
                inherited = made.isDaemon();
                made.start();
            });
            daemon.setDaemon(true);
            daemon.start();
            while (!inherited) {
                Thread.onSpinWait();
            }
            return inherited;
        }
    }

    static class DaemonMakesAThreadThatIsNone extends DaemonMakesAThread {
        @Override
        void prepare(Thread made) {
            assert made.isDaemon();
            made.setDaemon(false);
            inherited = true;
        }
    }

    /** A thread made by a non-daemon is no daemon, even if a daemon starts it. */
    static class DaemonStartsAThread {
        @Actor
        boolean actor() throws InterruptedException {
            Thread made = new Thread(LockSupport::park, "made");
            Thread daemon = new Thread(made::start);
            daemon.setDaemon(true);
            daemon.start();
            daemon.join();
            return made.isDaemon();
        }
    }

    @Test
    void whatADaemonMakesIsADaemon() {
        assertEquals(set("1"), outcomes(DaemonMakesAThread.class));
        expect(DaemonMakesAThreadThatIsNone.class, Verdict.HANG);
        expect(DaemonStartsAThread.class, Verdict.HANG);
    }

    /**
     * A server thread serves one request. A server that is no daemon then hangs. A thread that joins a daemon that
     * waits forever hangs too.
     */
    @Test
    void daemonMayWaitForEver() {
        assertEquals(set("1"), outcomes(HasADaemon.class));
        expect(HasNoDaemon.class, Verdict.HANG);
        assertEquals(set("1"), outcomes(DaemonWaitsInAMonitor.class));
        Result joined = expect(JoinsADaemon.class, Verdict.HANG);
        assertEquals(
                "Nothing can end the wait of actor: every location that it reads has its last value.",
                joined.counterExample().message());
        expect(DaemonHoldsALock.class, Verdict.HANG);
        expect(DaemonFails.class, Verdict.EXCEPTION);
    }

    static class MakesItselfADaemon {
        @Actor
        boolean actor() {
            try {
                Thread.currentThread().setDaemon(true);
                return true;
            } catch (IllegalThreadStateException e) {
                return false;
            }
        }
    }

    @Test
    void threadThatRunsDoesNotBecomeADaemon() {
        assertEquals(set("0"), outcomes(MakesItselfADaemon.class));
    }
}
