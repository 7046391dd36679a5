package dev.cqs.amc;

/**
 * The memory ordering of an access or a fence, in the terms of {@link java.lang.invoke.VarHandle}. The mode of a
 * read-modify-write splits into the mode of its read and the mode of its write.
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

    /**
     * An access of a field that is not volatile. Two conflicting accesses, one of them plain, race unless one happens
     * before the other.
     */
    PLAIN(false, false),
    /** Atomic and coherent, but orders nothing else (C++: relaxed): {@code getOpaque}, {@code setOpaque}. */
    OPAQUE(false, false),
    /** {@code getAcquire}, {@code compareAndExchangeAcquire}, {@code acquireFence}. */
    ACQUIRE(true, false),
    /** {@code setRelease}, {@code compareAndExchangeRelease}, {@code releaseFence}. */
    RELEASE(false, true),
    /** Both of the above. Java has no such operation; the mode is for algorithms from other languages. */
    ACQUIRE_RELEASE(true, true),
    /**
     * An access of a volatile field, {@code getVolatile}, {@code compareAndSet}, {@code fullFence} (C++: sequentially
     * consistent).
     */
    VOLATILE(true, true);

    private final boolean acquires;
    private final boolean releases;

    Mode(boolean acquires, boolean releases) {
        this.acquires = acquires;
        this.releases = releases;
    }

    /** {@return whether a read or fence of this mode is ordered before everything that follows in its thread} */
    public boolean acquires() {
        return acquires;
    }

    /** {@return whether a write or fence of this mode is ordered after everything that precedes in its thread} */
    public boolean releases() {
        return releases;
    }

    /** {@return the mode of the read of a read-modify-write of this mode, and of one that fails} */
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
