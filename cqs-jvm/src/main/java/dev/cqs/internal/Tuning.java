package dev.cqs.internal;

/** Reads the constants that tests and experiments may shrink, once, when their class is loaded. */
public final class Tuning {
    private Tuning() {}

    public static int powerOfTwo(String property, int usual, int largest) {
        int value = positive(property, usual, largest);
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(property + " must be a power of two, but is " + value);
        }
        return value;
    }

    public static int positive(String property, int usual, int largest) {
        int value = Integer.getInteger(property, usual);
        if (value < 1 || value > largest) {
            throw new IllegalArgumentException(property + " must be between 1 and " + largest + ", but is " + value);
        }
        return value;
    }
}
