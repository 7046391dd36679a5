package dev.cqs.amc.bytecode.runtime;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** An interrupt ends a wait, whenever it comes, and happens before the end of the wait. */
class InterruptsTest {

    static class Interrupts {
        @Actor
        int actor() throws InterruptedException {
            Thread me = Thread.currentThread();
            assert !Thread.interrupted() && !me.isInterrupted();
            me.interrupt();
            LockSupport.park();
            LockSupport.park();
            assert me.isInterrupted() && Thread.interrupted() && !Thread.interrupted();
            me.interrupt();
            int thrown = 0;
            try {
                Thread.sleep(1); // checked, so no time passes but that of the model
            } catch (InterruptedException e) {
                thrown++;
            }
            me.interrupt();
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException e) {
                thrown++;
            }
            me.interrupt();
            Thread other = new Thread(() -> {});
            other.join();
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                thrown++;
            }
            assert me.isInterrupted() == (thrown == 2);
            return thrown;
        }
    }

    @Test
    void interruptEndsWaitsAndIsTakenByThem() {
        // The last join finds the thread alive, or ended and then does not wait.
        assertEquals(set("2", "3"), outcomes(Interrupts.class));
    }

    static class InterruptCarriesData {
        private int x;
        private volatile Thread waiter;

        @Actor
        int waiter() {
            waiter = Thread.currentThread();
            LockSupport.park();
            return Thread.interrupted() ? x : -1;
        }

        @Actor
        void other() {
            while (waiter == null) {
                Thread.onSpinWait();
            }
            x = 1;
            waiter.interrupt();
        }
    }

    @Test
    void whatIsDoneBeforeAnInterruptIsSeenAfterIt() {
        assertEquals(set("1"), outcomes(InterruptCarriesData.class));
    }

    static class InterruptedWhileJoining {
        private volatile boolean stop;
        private volatile Thread joining;

        @Actor
        int joiner() throws InterruptedException {
            Thread thread = new Thread(() -> {
                while (!stop) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            joining = Thread.currentThread();
            try {
                thread.join();
                return 1;
            } catch (InterruptedException e) {
                stop = true;
                thread.join();
                return 0;
            }
        }

        @Actor
        void other() {
            while (joining == null) {
                Thread.onSpinWait();
            }
            joining.interrupt();
        }
    }

    @Test
    void interruptEndsAJoin() {
        assertEquals(set("0"), outcomes(InterruptedWhileJoining.class));
    }
}
