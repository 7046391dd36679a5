package dev.cqs.amc.jdk;

import dev.cqs.amc.RacyAllowed;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** {@link java.util.concurrent.locks.AbstractOwnableSynchronizer}, over a variable that the checker observes. */
public abstract class AbstractOwnableSynchronizer implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Written by the owner. Only the owner can rely on it; other threads read it without order, as a hint. */
    @RacyAllowed
    private transient @Nullable Thread exclusiveOwnerThread;

    /** It has no owner at first. */
    protected AbstractOwnableSynchronizer() {}

    protected final void setExclusiveOwnerThread(@Nullable Thread thread) {
        exclusiveOwnerThread = thread;
    }

    protected final @Nullable Thread getExclusiveOwnerThread() {
        return exclusiveOwnerThread;
    }
}
