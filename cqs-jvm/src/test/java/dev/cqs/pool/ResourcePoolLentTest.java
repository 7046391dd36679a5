package dev.cqs.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.UncaughtExceptions;
import dev.cqs.pool.ResourcePoolFixture.Tool;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a pool of resources tells of lent elements, and of those that their borrowers have dropped. */
class ResourcePoolLentTest {

    // Reports

    @Test
    void lentShowsTheElementTheBorrowerAndTheTime() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(2);
        assertEquals(List.of(), fixture.pool.lent());
        Tool tool = fixture.tryTake("Anna");
        fixture.now = 7;
        fixture.pool.put(fixture.tryTake("Bert"));
        Lease<Tool> lent = fixture.pool.lent().get(0);
        assertEquals(1, fixture.pool.lent().size());
        assertSame(tool, lent.element());
        assertEquals("Anna", lent.borrower());
        assertEquals(Duration.ofNanos(7), lent.since());
        assertNull(lent.trace());
        assertThrows(
                UnsupportedOperationException.class, () -> fixture.pool.lent().add(lent));
        assertThrows(NullPointerException.class, () -> new Lease<>(tool, null, Duration.ZERO, null));
        assertThrows(NullPointerException.class, () -> new Lease<>(tool, "Anna", null, null));
    }

    @Test
    void toStringShowsTheSlotsTheElementsAndTheWaiters() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(3);
        String name = "ResourcePool@" + Integer.toHexString(fixture.pool.hashCode());
        assertEquals(name + "[0 of 3, 0 idle, 0 waiting]", fixture.pool.toString());
        List<Tool> tools = fixture.take(3);
        TestWaiter waiter = fixture.waiter("waiter");
        List<Object> waiting = new ArrayList<>();
        fixture.pool.forEachWaiter(waiting::add);
        assertEquals(List.of(waiter), waiting);
        assertEquals(name + "[3 of 3, 0 idle, 1 waiting]", fixture.pool.toString());
        assertTrue(waiter.cancelNow());
        fixture.pool.put(tools.get(0));
        assertEquals(name + "[3 of 3, 1 idle, 0 waiting]", fixture.pool.toString());
        fixture.pool.close(null);
        assertEquals(name + "[2 of 3, 0 idle, 0 waiting, closed]", fixture.pool.toString());
    }

    /** The garbage collector decides when. The test asks it until it has. */
    @Test
    @Timeout(60)
    void aDroppedElementIsReportedAndItsSlotIsFree() throws InterruptedException {
        ResourcePoolFixture fixture = ResourcePoolFixture.tracking(2);
        Tool kept = fixture.tryTake("Anna");
        fixture.tryTake("Bert");
        fixture.made.clear();
        TestWaiter waiter = fixture.waiter("waiter");
        fixture.now = 5;
        while (fixture.dropped.isEmpty()) {
            System.gc();
            Thread.sleep(1); // lets the JDK's reference handler run
            fixture.pool.evictIdle();
        }
        assertEquals(1, fixture.dropped.size());
        Lease<Tool> report = fixture.dropped.get(0);
        assertNull(report.element());
        assertEquals("Bert", report.borrower());
        assertEquals(Duration.ofNanos(5), report.since());
        assertTrue(List.of(report.trace().getStackTrace()).toString().contains("ResourcePoolFixture.tryTake"));
        assertEquals(0, fixture.lend(waiter).number, "made in the slot of the dropped element");
        assertSame(
                kept,
                fixture.pool.lent().stream()
                        .filter(lent -> lent.borrower().equals("Anna"))
                        .findFirst()
                        .orElseThrow()
                        .element());
        fixture.pool.put(kept);
        fixture.pool.put(fixture.made.get(0));
        assertEquals(List.of(), fixture.destroyed, "a dropped element is out of reach, so it is not destroyed");
        assertEquals(2, fixture.pool.idle());
        kept = null;
        fixture.made.clear();
        collect();
        fixture.take(2);
        assertEquals(List.of(), fixture.made, "idle elements are not collected");
        assertEquals(1, fixture.dropped.size());
    }

    @Test
    @Timeout(60)
    void aClockThatThrowsAtTheReportOfADroppedElementLosesNoSlot() throws InterruptedException {
        ResourcePoolFixture fixture = ResourcePoolFixture.tracking(1);
        fixture.tryTake("Bert");
        fixture.made.clear();
        Error thrown = new Error("no clock");
        try (UncaughtExceptions uncaught = new UncaughtExceptions()) {
            while (fixture.dropped.isEmpty()) {
                System.gc();
                Thread.sleep(1); // lets the JDK's reference handler run
                fixture.onClock = () -> {
                    throw thrown;
                };
                fixture.pool.evictIdle();
            }
            assertEquals(List.of(thrown), uncaught.seen);
        }
        assertEquals(Duration.ZERO, fixture.dropped.get(0).since());
        fixture.assertCapacity(1);
    }

    /**
     * Collects until an unreachable object is gone. What only the pool references is gone by then, too, unless the pool keeps
     * it.
     */
    private static void collect() {
        WeakReference<Object> unreachable = new WeakReference<>(new Object());
        while (unreachable.get() != null) {
            System.gc();
        }
    }

    @Test
    @Timeout(60)
    void aPoolWithoutTrackingKeepsItsElements() {
        ResourcePoolFixture fixture = ResourcePoolFixture.of(1);
        fixture.tryTake("Anna");
        fixture.made.clear();
        collect();
        fixture.pool.evictIdle();
        Tool tool = fixture.pool.lent().get(0).element();
        fixture.pool.put(tool);
        assertEquals(1, fixture.pool.idle());
    }
}
