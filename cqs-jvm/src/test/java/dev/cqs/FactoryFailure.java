package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.BiFunction;
import java.util.function.Function;

/** What a waiter factory throws in a test that checks that the primitive then takes the request off its state. */
public final class FactoryFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A factory that always throws. */
    public static final BiFunction<Object, Object, TestWaiter> FACTORY = (primitive, argument) -> {
        throw new FactoryFailure();
    };

    /** Makes a request whose factory throws, and checks that the request throws the same. */
    public static void propagatesFrom(Function<BiFunction<Object, Object, TestWaiter>, ?> request) {
        propagatesFrom(request, () -> {});
    }

    /** Makes a request whose factory runs {@code action} and then throws. Checks that the request throws the same. */
    public static void propagatesFrom(Function<BiFunction<Object, Object, TestWaiter>, ?> request, Runnable action) {
        FactoryFailure thrown = new FactoryFailure();
        assertSame(
                thrown,
                assertThrows(
                        FactoryFailure.class,
                        () -> request.apply((primitive, argument) -> {
                            action.run();
                            throw thrown;
                        })));
    }
}
