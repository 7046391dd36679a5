package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.bytecode.heap.SharedObjectsTest.InFieldOfInterface.Sink;
import java.lang.reflect.Proxy;

/** Makes objects of an uninstrumented class that implements an instrumented interface. */
public final class UninstrumentedSink {

    private UninstrumentedSink() {}

    /** An object that counts its calls. */
    @SuppressWarnings("unchecked")
    public static <T> T make() {
        Class<?> caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        try {
            Class<?> type = Class.forName(Sink.class.getName(), false, caller.getClassLoader());
            int[] calls = {0};
            return (T) Proxy.newProxyInstance(
                    caller.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        calls[0]++;
                        return null;
                    });
        } catch (ClassNotFoundException thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}
