package dev.cqs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AllocationRetryTest {
    @Test
    void whatCannotBeMadeForWantOfMemoryIsMadeOnceThereIsSome() {
        Function<AtomicInteger, String> maker = shortages -> {
            if (shortages.getAndDecrement() > 0) {
                throw new OutOfMemoryError("as if");
            }
            return "made";
        };
        AtomicInteger shortages = new AtomicInteger(3);
        assertEquals("made", madeOrNull(maker, shortages));
        assertEquals(-1, shortages.get(), "one try too many would make two");
    }

    /** What is thrown here must not come to JUnit, which ends the whole run at a want of memory. */
    private static String madeOrNull(Function<AtomicInteger, String> maker, AtomicInteger shortages) {
        try {
            return AllocationRetry.create(maker, shortages);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    @Test
    void otherFailuresAreNotRepeated() {
        AtomicInteger tries = new AtomicInteger();
        Function<AtomicInteger, String> maker = counter -> {
            counter.getAndIncrement();
            throw new StackOverflowError();
        };
        assertThrows(StackOverflowError.class, () -> AllocationRetry.create(maker, tries));
        assertEquals(1, tries.get());
    }
}
