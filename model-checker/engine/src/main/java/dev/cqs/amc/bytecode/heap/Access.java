package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.Mode;
import dev.cqs.amc.graph.Update;
import java.lang.invoke.VarHandle;

/**
 * The meaning of an access mode of a variable handle.
 *
 * @param kind the kind of operation
 * @param mode the ordering. Read-modify-writes are atomic, so plain ones are opaque here
 */
public record Access(Kind kind, Mode mode) {

    public enum Kind {
        GET,
        SET,
        COMPARE_AND_SET,
        COMPARE_AND_EXCHANGE,
        GET_AND_SET,
        GET_AND_ADD,
        GET_AND_OR,
        GET_AND_AND,
        GET_AND_XOR
    }

    /** The factor of the number of coordinates in the form of an access. */
    public static final int COORDINATE = 32;

    private static final Access[] ALL = new Access[VarHandle.AccessMode.values().length];

    static {
        for (VarHandle.AccessMode mode : VarHandle.AccessMode.values()) {
            ALL[mode.ordinal()] = of(mode.methodName());
        }
    }

    /** The access with this ordinal of {@link VarHandle.AccessMode}. */
    public static Access of(int ordinal) {
        return ALL[ordinal];
    }

    private static Access of(String name) {
        Kind kind = kind(name);
        return new Access(kind, mode(name));
    }

    private static Kind kind(String name) {
        if (name.startsWith("compareAndExchange")) {
            return Kind.COMPARE_AND_EXCHANGE;
        }
        if (name.contains("ompareAndSet")) {
            return Kind.COMPARE_AND_SET;
        }
        if (name.startsWith("getAndSet")) {
            return Kind.GET_AND_SET;
        }
        if (name.startsWith("getAndAdd")) {
            return Kind.GET_AND_ADD;
        }
        if (name.startsWith("getAndBitwise")) {
            return name.substring(13).startsWith("Or")
                    ? Kind.GET_AND_OR
                    : name.substring(13).startsWith("And") ? Kind.GET_AND_AND : Kind.GET_AND_XOR;
        }
        return name.startsWith("get") ? Kind.GET : Kind.SET;
    }

    private static Mode mode(String name) {
        if (name.endsWith("Acquire")) {
            return Mode.ACQUIRE;
        }
        if (name.endsWith("Release")) {
            return Mode.RELEASE;
        }
        if (name.endsWith("Opaque") || name.endsWith("SetPlain")) {
            return Mode.OPAQUE;
        }
        return name.equals("get") || name.equals("set") ? Mode.PLAIN : Mode.VOLATILE;
    }

    /** The number of value operands. */
    public int operands() {
        return switch (kind) {
            case GET -> 0;
            case COMPARE_AND_SET, COMPARE_AND_EXCHANGE -> 2;
            default -> 1;
        };
    }

    /** The operation of a read-modify-write on a variable of this type. */
    public Update update(Class<?> type) {
        return switch (kind) {
            case COMPARE_AND_SET, COMPARE_AND_EXCHANGE -> Update.COMPARE_AND_SET;
            case GET_AND_SET -> Update.SET;
            case GET_AND_ADD -> addition(type);
            case GET_AND_OR -> Update.OR;
            case GET_AND_AND -> Update.AND;
            default -> Update.XOR;
        };
    }

    private static Update addition(Class<?> type) {
        return switch (Numbers.descriptor(type)) {
            case 'J' -> Update.ADD;
            case 'I' -> Update.ADD_INT;
            case 'S' -> Update.ADD_SHORT;
            case 'C' -> Update.ADD_CHAR;
            case 'F' -> Update.ADD_FLOAT;
            case 'D' -> Update.ADD_DOUBLE;
            default -> Update.ADD_BYTE;
        };
    }
}
