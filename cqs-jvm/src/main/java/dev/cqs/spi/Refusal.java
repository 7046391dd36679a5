package dev.cqs.spi;

/**
 * Handed to a {@link dev.cqs.Waiter} whose turn has come and who asks for more permits than there can be: the semaphore was
 * made smaller meanwhile.
 *
 * @param permits how many were asked for
 * @param maximum how many there can be
 */
public record Refusal(int permits, int maximum) implements Failure {
    @Override
    public IllegalArgumentException exception() {
        return new IllegalArgumentException(
                permits + " permits were asked for, but the semaphore has no more than " + maximum);
    }
}
