package dev.cqs.amc;

/**
 * How strongly an access or a fence is ordered, in the words of {@link java.lang.invoke.VarHandle}. The mode of a
 * read-modify-write splits in two: what orders its read, and what orders its write.
 *
 * <table>
 * <caption>The parts of each mode</caption>
 * <tr><th>mode</th><th>read part</th><th>write part</th></tr>
 * <tr><td>PLAIN</td><td>plain</td><td>plain</td></tr>
 * <tr><td>OPAQUE</td><td>opaque</td><td>opaque</td></tr>
 * <tr><td>ACQUIRE</td><td>acquire</td><td>opaque</td></tr>
 * <tr><td>RELEASE</td><td>opaque</td><td>release</td></tr>
 * <tr><td>ACQUIRE_RELEASE</td><td>acquire</td><td>release</td></tr>
 * <tr><td>VOLATILE</td><td>volatile</td><td>volatile</td></tr>
 * </table>
 */
public enum Mode {

    /** A field that is not volatile. Two of these that conflict without order are a data race. */
    PLAIN(false, false),
    /** Coherent and atomic, without order: {@code getOpaque}, {@code setOpaque}. */
    OPAQUE(false, false),
    /** {@code getAcquire}, {@code compareAndExchangeAcquire}, {@code acquireFence}. */
    ACQUIRE(true, false),
    /** {@code setRelease}, {@code compareAndExchangeRelease}, {@code releaseFence}. */
    RELEASE(false, true),
    /** Both of the above. Java has no single operation for it; it serves to analyse algorithms of other languages. */
    ACQUIRE_RELEASE(true, true),
    /** A volatile field, {@code getVolatile}, {@code compareAndSet}, {@code fullFence}. */
    VOLATILE(true, true);

    private final boolean acquires;
    private final boolean releases;

    Mode(boolean acquires, boolean releases) {
        this.acquires = acquires;
        this.releases = releases;
    }

    /** {@return whether what comes later in the thread is ordered after a read or fence of this mode} */
    public boolean acquires() {
        return acquires;
    }

    /** {@return whether what comes earlier in the thread is ordered before a write or fence of this mode} */
    public boolean releases() {
        return releases;
    }

    /** {@return the mode of the read of a read-modify-write of this mode, which is also that of one that fails} */
    public Mode readPart() {
        return switch (this) {
            case RELEASE -> OPAQUE;
            case ACQUIRE_RELEASE -> ACQUIRE;
            default -> this;
        };
    }

    /** {@return the mode of the write of a read-modify-write of this mode} */
    public Mode writePart() {
        return switch (this) {
            case ACQUIRE -> OPAQUE;
            case ACQUIRE_RELEASE -> RELEASE;
            default -> this;
        };
    }
}
