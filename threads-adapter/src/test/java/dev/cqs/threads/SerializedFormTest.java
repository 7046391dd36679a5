package dev.cqs.threads;

import static dev.cqs.threads.Streams.read;
import static dev.cqs.threads.Streams.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** The serialized forms of locks, semaphores and queues, and the refusal of corrupt ones. */
class SerializedFormTest {
    /** Written by an earlier version. They must stay readable, and be exactly what is written today. */
    private static final Map<String, String> STORED = Map.of(
            "lock", """
                    rO0ABXNyAB1kZXYuY3FzLnRocmVhZHMuUmVlbnRyYW50TG9jawAAAAAAAAABAwABWgAEZmFpcnhwAXg=""",
            "read-write lock", """
                    rO0ABXNyACZkZXYuY3FzLnRocmVhZHMuUmVlbnRyYW50UmVhZFdyaXRlTG9jawAAAAAAAAABAgADTAAEY29yZXQAHUxkZXYvY3Fz\
                    L3N5bmMvUmVhZFdyaXRlTXV0ZXg7TAAIcmVhZExvY2t0ADFMZGV2L2Nxcy90aHJlYWRzL1JlZW50cmFudFJlYWRXcml0ZUxvY2sk\
                    UmVhZExvY2s7TAAJd3JpdGVMb2NrdAAyTGRldi9jcXMvdGhyZWFkcy9SZWVudHJhbnRSZWFkV3JpdGVMb2NrJFdyaXRlTG9jazt4\
                    cHNyACZkZXYuY3FzLnN5bmMuUmVhZFdyaXRlTXV0ZXgkU2VyaWFsRm9ybQAAAAAAAAABAgABWgAEZmFpcnhwAXNyAC9kZXYuY3Fz\
                    LnRocmVhZHMuUmVlbnRyYW50UmVhZFdyaXRlTG9jayRSZWFkTG9jawAAAAAAAAABAgABTAAEY29yZXEAfgABeHBxAH4ABnNyADBk\
                    ZXYuY3FzLnRocmVhZHMuUmVlbnRyYW50UmVhZFdyaXRlTG9jayRXcml0ZUxvY2sAAAAAAAAAAQIAAUwABGNvcmVxAH4AAXhwcQB+\
                    AAY=""",
            "parts", """
                    rO0ABXVyACJbTGphdmEudXRpbC5jb25jdXJyZW50LmxvY2tzLkxvY2s7vkwAGygrn94CAAB4cAAAAAJzcgAvZGV2LmNxcy50aHJl\
                    YWRzLlJlZW50cmFudFJlYWRXcml0ZUxvY2skUmVhZExvY2sAAAAAAAAAAQIAAUwABGNvcmV0AB1MZGV2L2Nxcy9zeW5jL1JlYWRX\
                    cml0ZU11dGV4O3hwc3IAJmRldi5jcXMuc3luYy5SZWFkV3JpdGVNdXRleCRTZXJpYWxGb3JtAAAAAAAAAAECAAFaAARmYWlyeHAB\
                    c3IAMGRldi5jcXMudGhyZWFkcy5SZWVudHJhbnRSZWFkV3JpdGVMb2NrJFdyaXRlTG9jawAAAAAAAAABAgABTAAEY29yZXEAfgAD\
                    eHBxAH4ABg==""",
            "conditions", """
                    rO0ABXVyACdbTGphdmEudXRpbC5jb25jdXJyZW50LmxvY2tzLkNvbmRpdGlvbjuf7V6EbFK9XgIAAHhwAAAAAnNyACNkZXYuY3Fz\
                    LnRocmVhZHMuU2VyaWFsaXplZENvbmRpdGlvbgAAAAAAAAABAgABTAAEbG9ja3QAIUxqYXZhL3V0aWwvY29uY3VycmVudC9sb2Nr\
                    cy9Mb2NrO3hwc3IAHWRldi5jcXMudGhyZWFkcy5SZWVudHJhbnRMb2NrAAAAAAAAAAEDAAFaAARmYWlyeHABeHNxAH4AAnNyADBk\
                    ZXYuY3FzLnRocmVhZHMuUmVlbnRyYW50UmVhZFdyaXRlTG9jayRXcml0ZUxvY2sAAAAAAAAAAQIAAUwABGNvcmV0AB1MZGV2L2Nx\
                    cy9zeW5jL1JlYWRXcml0ZU11dGV4O3hwc3IAJmRldi5jcXMuc3luYy5SZWFkV3JpdGVNdXRleCRTZXJpYWxGb3JtAAAAAAAAAAEC\
                    AAFaAARmYWlyeHAB""",
            "semaphore", """
                    rO0ABXNyABlkZXYuY3FzLnRocmVhZHMuU2VtYXBob3JlAAAAAAAAAAECAAFMAARjb3JldAAYTGRldi9jcXMvc3luYy9TZW1hcGhv\
                    cmU7eHBzcgAhZGV2LmNxcy5zeW5jLlNlbWFwaG9yZSRTZXJpYWxGb3JtAAAAAAAAAAECAANaAARmYWlySQAHbWF4aW11bUkAB3Bl\
                    cm1pdHN4cAEAAAAA////+w==""",
            "bounded semaphore", """
                    rO0ABXNyABlkZXYuY3FzLnRocmVhZHMuU2VtYXBob3JlAAAAAAAAAAECAAFMAARjb3JldAAYTGRldi9jcXMvc3luYy9TZW1hcGhv\
                    cmU7eHBzcgAhZGV2LmNxcy5zeW5jLlNlbWFwaG9yZSRTZXJpYWxGb3JtAAAAAAAAAAECAANaAARmYWlySQAHbWF4aW11bUkAB3Bl\
                    cm1pdHN4cAEAAAAHAAAABw==""",
            "queue", """
                    rO0ABXNyACBkZXYuY3FzLnRocmVhZHMuU3luY2hyb25vdXNRdWV1ZQAAAAAAAAABAgABTAAEY29yZXQAH0xkZXYvY3FzL3N5bmMv\
                    U3luY2hyb25vdXNRdWV1ZTt4cHNyAChkZXYuY3FzLnN5bmMuU3luY2hyb25vdXNRdWV1ZSRTZXJpYWxGb3JtAAAAAAAAAAECAAFa\
                    AARmYWlyeHAB""");

    private static Map<String, Object> toBeStored() {
        ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
        ReentrantLock lock = new ReentrantLock();
        return Map.of(
                "lock",
                lock,
                "read-write lock",
                readWrite,
                "parts",
                new Lock[] {readWrite.readLock(), readWrite.writeLock()},
                "conditions",
                new Condition[] {lock.newCondition(), readWrite.writeLock().newCondition()},
                "semaphore",
                new Semaphore(-5),
                "bounded semaphore",
                Semaphore.bounded(7),
                "queue",
                new SynchronousQueue<>(true));
    }

    @Test
    void todaysBytesAreTheStoredOnes() throws Exception {
        for (Map.Entry<String, Object> each : toBeStored().entrySet()) {
            assertEquals(
                    STORED.get(each.getKey()),
                    Base64.getEncoder().encodeToString(write(each.getValue())),
                    each::getKey);
        }
        assertEquals(toBeStored().keySet(), STORED.keySet());
    }

    @Test
    void theStoredBytesCanBeRead() throws Exception {
        assertFalse(((ReentrantLock) stored("lock")).isLocked());
        ReentrantReadWriteLock readWrite = (ReentrantReadWriteLock) stored("read-write lock");
        assertTrue(readWrite.writeLock().tryLock());
        assertTrue(readWrite.readLock().tryLock());
        Lock[] parts = (Lock[]) stored("parts");
        parts[1].lock();
        assertTrue(parts[0].tryLock(), "the same thread holds the same lock");
        parts[1].unlock();
        assertFalse(parts[1].tryLock());
        for (Condition each : (Condition[]) stored("conditions")) {
            assertThrows(IllegalMonitorStateException.class, each::signal);
        }
        assertEquals(-5, ((Semaphore) stored("semaphore")).availablePermits());
        Semaphore bounded = (Semaphore) stored("bounded semaphore");
        assertEquals(7, bounded.availablePermits());
        assertEquals(7, bounded.core().maximum());
        assertTrue(((SynchronousQueue<?>) stored("queue")).isFair());
    }

    /** No version writes unfair locks and semaphores. They may be read: unfair permits barging and does not require it. */
    @Test
    void unfairFormsCanBeRead() throws Exception {
        byte[] queue = Base64.getDecoder().decode(STORED.get("queue"));
        queue[queue.length - 1] = 0; // the only component
        assertFalse(((SynchronousQueue<?>) read(queue)).isFair());
        byte[] lock = Base64.getDecoder().decode(STORED.get("lock"));
        lock[lock.length - 2] = 0; // before the end mark of writeObject
        assertFalse(((ReentrantLock) read(lock)).isLocked());
        byte[] semaphore = Base64.getDecoder().decode(STORED.get("semaphore"));
        semaphore[semaphore.length - 9] = 0;
        assertEquals(-5, ((Semaphore) read(semaphore)).availablePermits());
    }

    private static Object stored(String name) throws IOException, ClassNotFoundException {
        return read(Base64.getDecoder().decode(STORED.get(name)));
    }

    // Corrupt streams

    @Test
    void aSemaphoreWithAnImpossibleStateIsRefused() throws Exception {
        byte[] good = write(Semaphore.bounded(3)); // it ends with the maximum and the free permits
        assertEquals(3, ByteBuffer.wrap(good).getInt(good.length - 4));
        assertEquals(3, ByteBuffer.wrap(good).getInt(good.length - 8));
        assertRefused(
                "a serialized semaphore with a maximum of 3 permits cannot have 5 of them free",
                with(good, good.length - 4, 5));
        assertRefused(
                "the maximum of a serialized semaphore must be positive, or zero for none, but is -1",
                with(good, good.length - 8, -1));
        Semaphore unbounded = (Semaphore) read(with(good, good.length - 8, 0));
        assertEquals(Integer.MAX_VALUE, unbounded.core().maximum());
    }

    private static byte[] with(byte[] bytes, int index, int value) {
        byte[] changed = bytes.clone();
        ByteBuffer.wrap(changed).putInt(index, value);
        return changed;
    }

    @Test
    void objectsWithoutTheirCoreAreRefused() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        assertRefused("a semaphore without its core", withoutTheFirstField(new Semaphore(1)));
        assertRefused("a synchronous queue without its core", withoutTheFirstField(new SynchronousQueue<>()));
        assertRefused("a read lock without its core", withoutTheFirstField(lock.readLock()));
        assertRefused("a write lock without its core", withoutTheFirstField(lock.writeLock()));
        assertRefused(
                "a condition of something else than a lock: null",
                withoutTheFirstField(lock.writeLock().newCondition()));
        for (String field : List.of("core", "readLock", "writeLock")) {
            assertRefused("a read-write lock without its core or one of its parts", write(set(lock, field, null)));
            lock = new ReentrantReadWriteLock();
        }
        for (String field : List.of("readLock", "writeLock")) {
            Object other = field(field).get(new ReentrantReadWriteLock());
            assertRefused(
                    "a read-write lock with a part of another", write(set(new ReentrantReadWriteLock(), field, other)));
        }
    }

    /** The stream ends with the object that the first field of the outer one refers to. */
    private static byte[] withoutTheFirstField(Object outer) throws IOException {
        byte[] bytes = write(outer);
        for (int i = 6; ; i++) {
            if (bytes[i] == ObjectStreamConstants.TC_OBJECT && bytes[i + 1] == ObjectStreamConstants.TC_CLASSDESC) {
                byte[] cut = Arrays.copyOf(bytes, i + 1);
                cut[i] = ObjectStreamConstants.TC_NULL;
                return cut;
            }
        }
    }

    private static Field field(String name) throws NoSuchFieldException {
        Field field = ReentrantReadWriteLock.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Object set(ReentrantReadWriteLock lock, String name, Object value)
            throws ReflectiveOperationException {
        field(name).set(lock, value);
        return lock;
    }

    @Test
    void classesWithASerialFormAreNotReadDirectly() throws Exception {
        Condition condition = new ReentrantLock().newCondition();
        for (Class<?> type : List.of(
                dev.cqs.sync.Semaphore.class,
                dev.cqs.sync.ReadWriteMutex.class,
                dev.cqs.sync.SynchronousQueue.class,
                condition.getClass())) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(type.getName());
            out.writeLong(1);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);
            InvalidObjectException refused =
                    assertThrows(InvalidObjectException.class, () -> read(bytes.toByteArray()), type::getName);
            assertTrue(
                    refused.getMessage().endsWith("is not written to a stream itself, but as its serialized form"),
                    refused::getMessage);
        }
    }

    private static void assertRefused(String message, byte[] bytes) {
        assertEquals(
                message,
                assertThrows(InvalidObjectException.class, () -> read(bytes)).getMessage());
    }
}
