package dev.cqs.amc.bytecode.rewrite;

import static dev.cqs.amc.bytecode.Checking.check;
import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.Actor;
import dev.cqs.amc.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variable handles follow their specification, on local and on shared objects, in correct and in wrong use. */
class VariableHandlesTest {

    /** The variables of the handles. */
    static class Fields {
        boolean truth;
        byte small;
        short medium;
        char letter;
        int number;
        long big;
        float real;
        double precise;
        String text = "a";
        final int fixed = 1;
        static int global;
    }

    /** The handles, looked up in an instrumented class. */
    static class Handles {
        static final VarHandle TRUTH = find("truth", boolean.class);
        static final VarHandle SMALL = find("small", byte.class);
        static final VarHandle MEDIUM = find("medium", short.class);
        static final VarHandle LETTER = find("letter", char.class);
        static final VarHandle NUMBER = find("number", int.class);
        static final VarHandle BIG = find("big", long.class);
        static final VarHandle REAL = find("real", float.class);
        static final VarHandle PRECISE = find("precise", double.class);
        static final VarHandle TEXT = find("text", String.class);
        static final VarHandle GLOBAL;
        static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
        static final VarHandle TEXTS = MethodHandles.arrayElementVarHandle(String[].class);

        static {
            try {
                GLOBAL = MethodHandles.lookup().findStaticVarHandle(Fields.class, "global", int.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        private static VarHandle find(String name, Class<?> type) {
            try {
                return MethodHandles.privateLookupIn(Fields.class, MethodHandles.lookup())
                        .findVarHandle(Fields.class, name, type);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Runs each program on a new object, on an object of the set-up, and outside the checker. */
    abstract static class Program {
        private static final boolean CHECKED = Program.class.getClassLoader() instanceof CheckedLoader;
        Fields shared = new Fields();
        int[] ints = {1, 2};
        String[] texts = {"a", "b"};

        abstract long run(Fields fields, int[] ints, String[] texts);

        @Actor
        long actor() {
            assert CHECKED;
            long mine = run(new Fields(), new int[] {1, 2}, new String[] {"a", "b"});
            long ours = run(shared, ints, texts);
            assert mine == ours : mine + " on an object of its own, " + ours + " on one that is shared";
            return ours;
        }
    }

    static class Additions extends Program {
        @Override
        long run(Fields f, int[] ints, String[] texts) {
            f.small = 127;
            f.medium = Short.MAX_VALUE;
            f.number = Integer.MAX_VALUE;
            f.real = 1.5f;
            f.precise = 0.25;
            assert (byte) Handles.SMALL.getAndAdd(f, (byte) 1) == 127 && f.small == -128;
            assert Handles.SMALL.compareAndSet(f, (byte) -128, (byte) 3) && f.small == 3;
            assert (short) Handles.MEDIUM.getAndAddAcquire(f, (short) 1) == Short.MAX_VALUE
                    && f.medium == Short.MIN_VALUE;
            assert Handles.MEDIUM.weakCompareAndSetPlain(f, Short.MIN_VALUE, (short) 0);
            assert (char) Handles.LETTER.getAndAddRelease(f, (char) 0xffff) == 0 && f.letter == 0xffff;
            assert (char) Handles.LETTER.getAndAdd(f, (char) 2) == 0xffff && f.letter == 1;
            assert (int) Handles.NUMBER.getAndAdd(f, 1) == Integer.MAX_VALUE && f.number == Integer.MIN_VALUE;
            assert (long) Handles.BIG.getAndAdd(f, Long.MAX_VALUE) == 0 && f.big == Long.MAX_VALUE;
            assert (float) Handles.REAL.getAndAdd(f, 2.25f) == 1.5f && f.real == 3.75f;
            assert (double) Handles.PRECISE.getAndAdd(f, 0.5) == 0.25 && f.precise == 0.75;
            return f.small + f.letter;
        }
    }

    static class Bits extends Program {
        @Override
        long run(Fields f, int[] ints, String[] texts) {
            f.number = 0b1100;
            f.small = -1;
            assert (int) Handles.NUMBER.getAndBitwiseOr(f, 0b0011) == 0b1100;
            assert (int) Handles.NUMBER.getAndBitwiseAndAcquire(f, 0b1010) == 0b1111;
            assert (int) Handles.NUMBER.getAndBitwiseXorRelease(f, 0b0110) == 0b1010;
            assert !(boolean) Handles.TRUTH.getAndBitwiseOr(f, true) && f.truth;
            assert (boolean) Handles.TRUTH.getAndBitwiseXor(f, true) && !f.truth;
            assert (byte) Handles.SMALL.getAndBitwiseAndRelease(f, (byte) 0x0f) == -1 && f.small == 15;
            return f.number;
        }
    }

    static class Conversions extends Program {
        @Override
        long run(Fields f, int[] ints, String[] texts) {
            Handles.BIG.set(f, 3);
            Handles.REAL.setVolatile(f, 3);
            Handles.PRECISE.setRelease(f, 'a');
            assert f.big == 3 && f.real == 3.0f && f.precise == 97.0;
            Handles.PRECISE.setOpaque(f, 2.5f);
            assert f.precise == 2.5;
            assert (double) Handles.REAL.get(f) == 3.0 && (long) Handles.NUMBER.getVolatile(f) == 0;
            assert Handles.BIG.compareAndSet(f, 3, (byte) 4) && f.big == 4;
            Object boxed = Handles.BIG.getAndSet(f, 5);
            assert boxed.equals(4L) : boxed;
            Handles.BIG.set(f, Integer.valueOf(6));
            assert Handles.BIG.compareAndSet(f, Long.valueOf(6), Long.valueOf(7)) && f.big == 7;
            assert (Long) Handles.BIG.getAcquire(f) == 7;
            Object exchanged = Handles.TEXT.compareAndExchange(f, "a", "b");
            assert exchanged.equals("a") && f.text.equals("b");
            return f.big;
        }
    }

    static class Comparisons extends Program {
        @Override
        long run(Fields f, int[] ints, String[] texts) {
            assert !Handles.NUMBER.compareAndSet(f, 1, 2) && f.number == 0;
            assert (int) Handles.NUMBER.compareAndExchange(f, 1, 2) == 0 && f.number == 0;
            assert (int) Handles.NUMBER.compareAndExchangeAcquire(f, 0, 2) == 0 && f.number == 2;
            assert (int) Handles.NUMBER.compareAndExchangeRelease(f, 2, 3) == 2 && f.number == 3;
            assert !Handles.NUMBER.weakCompareAndSetAcquire(f, 2, 4)
                    && !Handles.NUMBER.weakCompareAndSetRelease(f, 2, 4);
            assert Handles.NUMBER.weakCompareAndSet(f, 3, 4) && f.number == 4;
            assert !Handles.PRECISE.compareAndSet(f, -0.0, 1.0) && Handles.PRECISE.compareAndSet(f, 0.0, Double.NaN);
            assert Handles.PRECISE.compareAndSet(f, Double.NaN, 1.0) && f.precise == 1.0;
            assert !Handles.TEXT.compareAndSet(f, null, "b") && Handles.TEXT.weakCompareAndSetAcquire(f, "a", null);
            assert f.text == null && Handles.TEXT.getAndSetRelease(f, "c") == null && f.text.equals("c");
            return f.number;
        }
    }

    static class Arrays extends Program {
        @Override
        long run(Fields f, int[] ints, String[] texts) {
            assert (int) Handles.INTS.getAndAdd(ints, 1, 5) == 2 && ints[1] == 7;
            short index = 0;
            assert Handles.INTS.compareAndSet(ints, index, 1, 9) && (int) Handles.INTS.getAcquire(ints, (byte) 0) == 9;
            assert ((String) Handles.TEXTS.getAndSet(texts, 1, "z")).equals("b") && texts[1].equals("z");
            return ints[0] + ints[1];
        }
    }

    static class WrongUse extends Program {
        @FunctionalInterface
        interface Use {
            void use();
        }

        private static long thrown(Use use) {
            try {
                use.use();
            } catch (NullPointerException e) {
                return 1;
            } catch (ArrayIndexOutOfBoundsException e) {
                return 2;
            } catch (ClassCastException e) {
                return 3;
            } catch (WrongMethodTypeException e) {
                return 4;
            } catch (UnsupportedOperationException e) {
                return 5;
            }
            return 0;
        }

        @Override
        long run(Fields f, int[] ints, String[] texts) {
            Object[] objects = texts;
            Object wrong = "wrong";
            Object one = 1;
            long[] found = {
                thrown(() -> Handles.NUMBER.set((Fields) null, 1)),
                thrown(() -> Handles.INTS.getVolatile((int[]) null, 0)),
                thrown(() -> Handles.INTS.getVolatile(ints, 2)),
                thrown(() -> Handles.INTS.setRelease(ints, -1, 0)),
                thrown(() -> Handles.INTS.setRelease(ints, -2, 0)),
                thrown(() -> Handles.NUMBER.getVolatile(wrong)),
                thrown(() -> Handles.TEXT.set(f, one)),
                thrown(() -> Handles.TEXT.compareAndSet(f, one, "a")),
                thrown(() -> Handles.TEXTS.set(objects, 0, one)),
                thrown(() -> Handles.NUMBER.set(1)),
                thrown(() -> Handles.GLOBAL.set(f, 1)),
                thrown(() -> Handles.NUMBER.set(f, 1L)),
                thrown(() -> Handles.TRUTH.set(f, 1)),
                thrown(() -> Handles.TEXT.getAndAdd(f, "b")),
                thrown(() -> Handles.REAL.getAndBitwiseOr(f, 1f)),
                thrown(() -> Handles.TRUTH.getAndAdd(f, true)),
            };
            long all = 0;
            for (long each : found) {
                all = 10 * all + each;
            }
            assert f.number == 0 && f.text.equals("a") && Fields.global == 0;
            return all;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {Additions.class, Bits.class, Conversions.class, Comparisons.class, Arrays.class, WrongUse.class})
    void everyOperationDoesWhatItDoesWithoutTheChecker(Class<? extends Program> program)
            throws ReflectiveOperationException {
        long outside = program.getDeclaredConstructor()
                .newInstance()
                .run(new Fields(), new int[] {1, 2}, new String[] {"a", "b"});
        assertEquals(set(Long.toString(outside)), outcomes(program));
    }

    static class Statics {
        @Actor(2)
        int actor() {
            return (int) Handles.GLOBAL.getAndAdd(1);
        }
    }

    @Test
    void staticFieldsAreShared() {
        assertEquals(set("0,1", "1,0"), outcomes(Statics.class));
    }

    static class ExactInvocation {
        private static final VarHandle NUMBER = Handles.NUMBER.withInvokeExactBehavior();
        private final Fields fields = new Fields();

        @Actor(2)
        int actor() {
            return (int) NUMBER.getAndAdd(fields, 1);
        }
    }

    @Test
    void exactHandlesAreHandles() {
        assertEquals(set("0,1", "1,0"), outcomes(ExactInvocation.class));
    }

    // What is refused

    static class View {
        private static final VarHandle VIEW = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        private final byte[] bytes = new byte[8];

        @Actor(2)
        void actor() {
            VIEW.set(bytes, 0, 1);
        }
    }

    @Test
    void handleThatIsNoFieldAndNoElementIsRefused() {
        refused(View.class, "does not say which variable it stands for", "Use a handle of a field");
    }

    static class Final {
        private static final VarHandle FIXED = Handles.find("fixed", int.class);
        private final Fields fields = new Fields();

        @Actor(2)
        int actor() {
            return (int) FIXED.get(fields);
        }
    }

    @Test
    void handleOfFinalFieldIsRefused() {
        refused(Final.class, "is final", "fixed");
    }

    static class Unboxed {
        static Object any;
        private static final VarHandle ANY;

        static {
            try {
                ANY = MethodHandles.lookup().findStaticVarHandle(Unboxed.class, "any", Object.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Actor(2)
        void actor() {
            ANY.set(5);
        }
    }

    @Test
    void numberInHandleOfReferenceIsRefused() {
        refused(Unboxed.class, "Box it");
    }

    // The ordering of each mode: message passing, and store buffering

    /** Passes a plain value by a flag, in the modes of the subclass. */
    abstract static class Message {
        int data;
        final Fields flag = new Fields();

        abstract void signal();

        abstract boolean isSignalled();

        @Actor
        void writer() {
            data = 1;
            signal();
        }

        @Actor
        int reader() {
            return isSignalled() ? data : -1;
        }
    }

    static class Opaque extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setOpaque(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.getOpaque(flag) == 1;
        }
    }

    static class ReleaseAcquire extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setRelease(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.getAcquire(flag) == 1;
        }
    }

    static class ReleaseOpaque extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setRelease(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.getOpaque(flag) == 1;
        }
    }

    static class ExchangeRelease extends Message {
        @Override
        void signal() {
            Handles.NUMBER.getAndSetRelease(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.compareAndExchangeAcquire(flag, 1, 2) == 1;
        }
    }

    static class AddAcquire extends Message {
        @Override
        void signal() {
            Handles.NUMBER.getAndAddAcquire(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.getVolatile(flag) == 1;
        }
    }

    static class FailingCompareRelease extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setVolatile(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return (int) Handles.NUMBER.compareAndExchangeRelease(flag, 0, 0) == 1;
        }
    }

    static class FailingCompareVolatile extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setVolatile(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return !Handles.NUMBER.weakCompareAndSet(flag, 0, 0);
        }
    }

    static class WeakPlain extends Message {
        @Override
        void signal() {
            Handles.NUMBER.setVolatile(flag, 1);
        }

        @Override
        boolean isSignalled() {
            return Handles.NUMBER.weakCompareAndSetPlain(flag, 1, 2);
        }
    }

    static class Fences extends Message {
        @Override
        void signal() {
            VarHandle.releaseFence();
            Handles.NUMBER.setOpaque(flag, 1);
        }

        @Override
        boolean isSignalled() {
            boolean signalled = (int) Handles.NUMBER.getOpaque(flag) == 1;
            VarHandle.acquireFence();
            return signalled;
        }
    }

    static class WrongFences extends Message {
        @Override
        void signal() {
            VarHandle.acquireFence();
            Handles.NUMBER.setOpaque(flag, 1);
        }

        @Override
        boolean isSignalled() {
            boolean signalled = (int) Handles.NUMBER.getOpaque(flag) == 1;
            VarHandle.releaseFence();
            return signalled;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ReleaseAcquire.class, ExchangeRelease.class, FailingCompareVolatile.class, Fences.class})
    void releaseAndAcquirePassAMessage(Class<?> scenario) {
        assertEquals(set("-1", "1"), outcomes(scenario));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Opaque.class,
                ReleaseOpaque.class,
                AddAcquire.class,
                FailingCompareRelease.class,
                WeakPlain.class,
                WrongFences.class
            })
    void weakerModesDoNot(Class<?> scenario) {
        assertEquals(Verdict.DATA_RACE, check(scenario).verdict());
    }
}
