package dev.cqs.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.TestWaiter;
import dev.cqs.sync.WaitFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A pool of resources whose factory, validator, destroyer and clock run actions of the test, and which records what was made,
 * destroyed and reported as dropped. For all tests of {@link ResourcePool}.
 */
final class ResourcePoolFixture {
    /** The pooled resource. */
    static final class Tool {
        final int number;
        boolean valid = true;
        boolean destroyed;

        Tool(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "tool " + number;
        }
    }

    final List<Tool> made = new ArrayList<>();
    final List<Tool> destroyed = new ArrayList<>();
    final List<Lease<Tool>> dropped = new ArrayList<>();
    Runnable onMake = () -> {};
    Consumer<Tool> onCheck = tool -> {};
    Consumer<Tool> onDestroy = tool -> {};
    Runnable onClock = () -> {};
    long now;
    final ResourcePool<Tool> pool;

    ResourcePoolFixture(int maximum, Consumer<ResourcePool.Builder<Tool>> more) {
        ResourcePool.Builder<Tool> builder = ResourcePool.builder(maximum, this::make);
        builder.validator(this::check).destroyer(this::destroy).nanoTime(this::now);
        more.accept(builder);
        pool = builder.build();
    }

    static ResourcePoolFixture of(int maximum) {
        return new ResourcePoolFixture(maximum, builder -> {});
    }

    static ResourcePoolFixture tracking(int maximum) {
        ResourcePoolFixture[] fixture = new ResourcePoolFixture[1];
        fixture[0] = new ResourcePoolFixture(
                maximum,
                builder ->
                        builder.tracking(lent -> fixture[0].dropped.add(lent)).traces());
        return fixture[0];
    }

    static ResourcePoolFixture evicting(int maximum, long after) {
        return new ResourcePoolFixture(maximum, builder -> builder.evictAfter(Duration.ofNanos(after)));
    }

    private long now() {
        Runnable once = onClock;
        onClock = () -> {};
        once.run();
        return now;
    }

    private Tool make() {
        onMake.run();
        Tool tool = new Tool(made.size());
        made.add(tool);
        return tool;
    }

    private boolean check(Tool tool) {
        assertFalse(tool.destroyed, "no destroyed element is validated");
        onCheck.accept(tool);
        return tool.valid;
    }

    private void destroy(Tool tool) {
        assertFalse(tool.destroyed, "an element is destroyed once");
        tool.destroyed = true;
        destroyed.add(tool);
        onDestroy.accept(tool);
    }

    /** Borrows an element if that needs no wait. */
    Tool tryTake() {
        return tryTake("test");
    }

    Tool tryTake(String borrower) {
        PoolSlot<Tool> slot = pool.tryTakeSlot();
        return slot == null ? null : slot.lendOrMake(borrower);
    }

    List<Tool> take(int count) {
        List<Tool> tools = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Tool tool = tryTake();
            assertTrue(tool != null, "a slot is free");
            tools.add(tool);
        }
        return tools;
    }

    /** Enqueues a waiter for a slot. No slot must be free. */
    TestWaiter waiter(String name) {
        TestWaiter waiter = new TestWaiter(name);
        assertSame(waiter, pool.takeSlot(waiter, TestWaiter.ITSELF), "it must wait");
        assertFalse(waiter.isResumed(), "it must wait");
        return waiter;
    }

    /** Borrows the element of the slot that the waiter was resumed with. */
    Tool lend(TestWaiter waiter) {
        return slot(waiter).lendOrMake(waiter.name);
    }

    /** The slot that the waiter was resumed with. */
    @SuppressWarnings("unchecked")
    static PoolSlot<Tool> slot(TestWaiter waiter) {
        assertTrue(waiter.isResumed() && !(waiter.value instanceof WaitFailure), () -> waiter + " has no slot");
        return (PoolSlot<Tool>) waiter.value;
    }

    void assertState(int size, int idle, int lent) {
        assertEquals(size, pool.size(), "size");
        assertEquals(idle, pool.idle(), "idle");
        assertEquals(lent, pool.lent().size(), "lent");
        assertEquals(size, made.size() - destroyed.size() - dropped.size(), "made, less destroyed and dropped");
    }

    /** Checks that exactly {@code slots} elements can be borrowed at a time. */
    void assertCapacity(int slots) {
        List<Tool> tools = take(slots);
        assertEquals(null, tryTake());
        assertEquals(slots, pool.lent().size());
        tools.forEach(pool::put);
    }
}
