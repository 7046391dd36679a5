package dev.cqs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AllocationRetryTest {
    @Test
    void anAllocationThatRunsOutOfMemoryIsRepeatedUntilItSucceeds() {
        Function<AtomicInteger, String> maker = shortages -> {
            if (shortages.getAndDecrement() > 0) {
                throw new OutOfMemoryError("as if");
            }
            return "made";
        };
        AtomicInteger shortages = new AtomicInteger(3);
        assertEquals("made", madeOrNull(maker, shortages));
        assertEquals(-1, shortages.get(), "it was tried once more than it failed, and not again");
    }

    /** Keeps an {@code OutOfMemoryError} from JUnit, which would end the whole run. */
    private static String madeOrNull(Function<AtomicInteger, String> maker, AtomicInteger shortages) {
        try {
            return AllocationRetry.create(maker, shortages);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    @Test
    void otherErrorsAreThrownAtOnce() {
        AtomicInteger tries = new AtomicInteger();
        Function<AtomicInteger, String> maker = counter -> {
            counter.getAndIncrement();
            throw new StackOverflowError();
        };
        assertThrows(StackOverflowError.class, () -> AllocationRetry.create(maker, tries));
        assertEquals(1, tries.get());
    }
}
