package dev.cqs.amc.graph;

/** The operation of a read-modify-write. */
public enum Update {
    /** Writes the operand if it reads the expected value, else nothing. */
    COMPARE_AND_SET,
    /** The same, to enter a monitor. */
    ENTER_MONITOR,
    SET,
    ADD,
    /** The same for an {@code int}. */
    ADD_INT,
    ADD_SHORT,
    ADD_CHAR,
    ADD_BYTE,
    /** The same for floating-point numbers, given by their bits. */
    ADD_FLOAT,
    ADD_DOUBLE,
    AND,
    OR,
    XOR;

    /** Whether it writes after it has read {@code read}. */
    public boolean writes(long read, long expected) {
        return !compares() || read == expected;
    }

    /** Whether it is conditional on the expected value. */
    public boolean compares() {
        return this == COMPARE_AND_SET || this == ENTER_MONITOR;
    }

    /** The value that it writes after it has read {@code read}. */
    public long apply(long read, long operand) {
        return switch (this) {
            case ADD -> read + operand;
            case ADD_INT -> (int) (read + operand);
            case ADD_SHORT -> (short) (read + operand);
            case ADD_CHAR -> (char) (read + operand);
            case ADD_BYTE -> (byte) (read + operand);
            case ADD_FLOAT ->
                Float.floatToRawIntBits(Float.intBitsToFloat((int) read) + Float.intBitsToFloat((int) operand));
            case ADD_DOUBLE ->
                Double.doubleToRawLongBits(Double.longBitsToDouble(read) + Double.longBitsToDouble(operand));
            case AND -> read & operand;
            case OR -> read | operand;
            case XOR -> read ^ operand;
            default -> operand;
        };
    }
}
