package dev.cqs.threads;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The result of a future of {@link Semaphore#acquireAsync} or {@code lockAsync} of a lock: the permits, or the lock, until it
 * is closed. It belongs to no thread; any thread may close it.
 */
public final class Grant implements AutoCloseable {
    private static final VarHandle RELEASE;

    static {
        try {
            RELEASE = MethodHandles.lookup().findVarHandle(Grant.class, "release", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null once closed. */
    private volatile @Nullable Runnable release;

    Grant(Runnable release) {
        RELEASE.set(this, release); // plain: published by the future
    }

    /** Puts back what was granted. Only the first call has an effect. */
    @Override
    public void close() {
        Runnable once = (Runnable) RELEASE.getAndSet(this, null);
        if (once != null) {
            try {
                once.run();
            } catch (StackOverflowError e) { // comes before anything is put back
                release = once;
                throw e;
            }
        }
    }

    /** {@return whether it was closed} */
    public boolean isClosed() {
        return release == null;
    }

    /** Says whether it was closed. */
    @Override
    public String toString() {
        return super.toString() + (isClosed() ? "[closed]" : "[open]");
    }
}
