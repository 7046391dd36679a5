package dev.cqs.threads;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Writes objects to streams and reads them. */
final class Streams {
    private Streams() {}

    /** A deserialized copy. */
    @SuppressWarnings("unchecked")
    static <T> T copy(T original) throws IOException, ClassNotFoundException {
        assertTrue(original instanceof Serializable, original::toString);
        Object copy = read(write(original));
        assertInstanceOf(original.getClass(), copy);
        return (T) copy;
    }

    static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }
}
