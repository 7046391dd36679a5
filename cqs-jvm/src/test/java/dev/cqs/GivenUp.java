package dev.cqs;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.BiFunction;
import java.util.function.Function;

/** Thrown by a factory of waiters, so that its request is given up. */
public final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Throws it. */
    public static final BiFunction<Object, Object, TestWaiter> AT_ONCE = (primitive, argument) -> {
        throw new GivenUp();
    };

    /** Has {@code request} given up by its factory, at once. */
    public static void in(Function<BiFunction<Object, Object, TestWaiter>, ?> request) {
        in(request, () -> {});
    }

    /** Has {@code request} given up by its factory after this action, and checks that what it throws is passed on. */
    public static void in(Function<BiFunction<Object, Object, TestWaiter>, ?> request, Runnable action) {
        GivenUp thrown = new GivenUp();
        assertSame(
                thrown,
                assertThrows(
                        GivenUp.class,
                        () -> request.apply((primitive, argument) -> {
                            action.run();
                            throw thrown;
                        })));
    }
}
