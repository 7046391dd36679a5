package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.FieldInfo;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reflective access to the real fields, by their numbers in a {@link CodeTable}. */
public final class FieldAccess {

    private final CodeTable code;
    private final ClassLoader loader;
    private final List<Field> fields = new ArrayList<>();

    public FieldAccess(CodeTable code, ClassLoader loader) {
        this.code = code;
        this.loader = loader;
    }

    boolean isReference(int field) {
        char type = code.field(field).descriptor().charAt(0);
        return type == 'L' || type == '[';
    }

    public Object getReference(Object object, int field) {
        try {
            return real(field).get(object);
        } catch (IllegalAccessException thrown) {
            throw unreachable(field, thrown);
        }
    }

    public void setReference(Object object, int field, @Nullable Object value) {
        try {
            real(field).set(object, value);
        } catch (IllegalAccessException thrown) {
            throw unreachable(field, thrown);
        }
    }

    /** The value, widened to long, or the bits of a floating-point number. */
    public long get(Object object, int field) {
        try {
            Field real = real(field);
            return switch (code.field(field).descriptor().charAt(0)) {
                case 'Z' -> real.getBoolean(object) ? 1 : 0;
                case 'C' -> real.getChar(object);
                case 'F' -> Float.floatToRawIntBits(real.getFloat(object));
                case 'D' -> Double.doubleToRawLongBits(real.getDouble(object));
                default -> real.getLong(object);
            };
        } catch (IllegalAccessException thrown) {
            throw unreachable(field, thrown);
        }
    }

    public void set(Object object, int field, long value) {
        try {
            Field real = real(field);
            switch (code.field(field).descriptor().charAt(0)) {
                case 'Z' -> real.setBoolean(object, value != 0);
                case 'B' -> real.setByte(object, (byte) value);
                case 'C' -> real.setChar(object, (char) value);
                case 'S' -> real.setShort(object, (short) value);
                case 'I' -> real.setInt(object, (int) value);
                case 'F' -> real.setFloat(object, Float.intBitsToFloat((int) value));
                case 'D' -> real.setDouble(object, Double.longBitsToDouble(value));
                default -> real.setLong(object, value);
            }
        } catch (IllegalAccessException thrown) {
            throw unreachable(field, thrown);
        }
    }

    /** A primitive value of a field as text; of an array element if the field is -1. */
    String valueName(int field, long value) {
        return switch (field < 0 ? 'J' : code.field(field).descriptor().charAt(0)) {
            case 'Z' -> value == 0 ? "false" : "true";
            case 'C' -> "'" + (char) value + "'";
            case 'F' -> Float.toString(Float.intBitsToFloat((int) value));
            case 'D' -> Double.toString(Double.longBitsToDouble(value));
            default -> Long.toString(value);
        };
    }

    private Field real(int field) {
        while (fields.size() <= field) {
            fields.add(null);
        }
        Field real = fields.get(field);
        if (real == null) {
            real = find(field);
            fields.set(field, real);
        }
        return real;
    }

    private Field find(int field) {
        FieldInfo info = code.field(field);
        try {
            Field real = Class.forName(info.owner(), false, loader).getDeclaredField(info.name());
            real.setAccessible(true);
            return real;
        } catch (ReflectiveOperationException thrown) {
            throw unreachable(field, thrown);
        }
    }

    private UncheckableException unreachable(int field, Exception thrown) {
        FieldInfo info = code.field(field);
        return new UncheckableException(
                "The field " + info.name() + " of " + info.owner() + " cannot be reached.", thrown);
    }
}
