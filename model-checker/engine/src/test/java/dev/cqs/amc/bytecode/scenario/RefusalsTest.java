package dev.cqs.amc.bytecode.scenario;

import static dev.cqs.amc.bytecode.Checking.outcomes;
import static dev.cqs.amc.bytecode.Checking.refused;
import static dev.cqs.amc.bytecode.Checking.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.Actor;
import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.Checking;
import dev.cqs.amc.bytecode.Library;
import dev.cqs.amc.bytecode.RememberingChance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that the checker cannot follow is refused with a message that has the reason and the remedy. */
class RefusalsTest {

    static class Chances {
        @Actor
        boolean actor() {
            return new Random().nextBoolean();
        }
    }

    static class ChanceByReference {
        @Actor
        boolean actor() {
            java.util.function.DoubleSupplier chance = Math::random;
            return chance.getAsDouble() > 0.5;
        }
    }

    static class ChanceByReferenceToConstructor {
        @Actor
        boolean actor() {
            Supplier<Random> chance = Random::new;
            return chance.get().nextBoolean();
        }
    }

    static class Getter {
        private static final MethodHandle GET;
        private int x;

        static {
            try {
                GET = MethodHandles.lookup().findGetter(Getter.class, "x", int.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Actor(2)
        int actor() throws Throwable {
            x = 1;
            return (int) GET.invokeExact(this);
        }
    }

    static class ElementSetter {
        private final MethodHandle set = MethodHandles.arrayElementSetter(int[].class);
        private final int[] array = new int[1];

        @Actor(2)
        void actor() throws Throwable {
            set.invokeExact(array, 0, 1);
        }
    }

    static class FieldByReflection {
        private volatile int x;

        @Actor(2)
        int actor() throws ReflectiveOperationException {
            return FieldByReflection.class.getDeclaredField("x").getInt(this);
        }
    }

    static class Serialized implements java.io.Serializable {
        private static final long serialVersionUID = 1L;
        private int x;

        @Actor(2)
        int actor() throws IOException {
            x++;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(this);
            return bytes.size();
        }
    }

    static class Services {
        @Actor
        boolean actor() {
            return java.util.ServiceLoader.load(Runnable.class).findFirst().isPresent();
        }
    }

    static class Property {
        @Actor(2)
        void actor(int me) {
            System.setProperty("dev.cqs.amc.refused", "" + me);
        }
    }

    static class Native {
        private static native int number();

        @Actor
        int actor() {
            return number();
        }
    }

    static class StaticStateElsewhere {
        @Actor(2)
        int actor() {
            return RememberingChance.next();
        }
    }

    static class StaticFieldElsewhere {
        @Actor(2)
        int actor() {
            return RememberingChance.calls;
        }
    }

    static class StaticFieldElsewhereWritten {
        @Actor(2)
        void actor() {
            RememberingChance.calls = 1;
        }
    }

    static class Today {
        @Actor
        boolean actor() {
            return java.time.Instant.now().isBefore(java.time.Instant.MAX);
        }
    }

    static class Weak {
        @Actor
        boolean actor() {
            return new java.lang.ref.WeakReference<>(new Object()).get() == null;
        }
    }

    static class LeaksItself {
        static class Leaking {
            private final int x;

            Leaking(LeaksItself owner) {
                owner.leaked = this;
                x = 1;
            }
        }

        private volatile Leaking leaked;

        @Actor
        void writer() {
            new Leaking(this);
        }

        @Actor
        int reader() {
            Leaking seen = leaked;
            return seen == null ? -1 : seen.x;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Chances.class,
                ChanceByReference.class,
                ChanceByReferenceToConstructor.class,
                Getter.class,
                ElementSetter.class,
                FieldByReflection.class,
                Serialized.class,
                Services.class,
                Property.class,
                Native.class,
                StaticStateElsewhere.class,
                StaticFieldElsewhere.class,
                StaticFieldElsewhereWritten.class,
                Today.class,
                Weak.class,
                LeaksItself.class
            })
    void refusalSaysWhatToDo(Class<?> scenario) {
        String message = assertThrows(UncheckableException.class, () -> Checking.check(scenario))
                .getMessage();
        assertTrue(message.matches("(?s).*\\. (Use|Instrument|Leave|Make|Publish|Give) .*\\."), message);
    }

    static class FailingInitializer {
        static class Broken {
            static int x = Integer.parseInt("x");
        }

        @Actor
        int actor() {
            return Broken.x;
        }
    }

    @Test
    void initializerThatFailsIsNamed() {
        String message = assertThrows(IllegalArgumentException.class, () -> Checking.check(FailingInitializer.class))
                .getMessage();
        assertTrue(message.contains("initializer") && message.contains("NumberFormatException"), message);
    }

    static class Finalized {
        private int x;

        @Override
        @Deprecated
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            x++;
        }

        @Actor
        int actor() {
            return x;
        }
    }

    @Test
    void finalizerIsRefused() {
        String message = assertThrows(InstrumentationException.class, () -> Checking.check(Finalized.class))
                .getMessage();
        assertTrue(message.contains("Finalized") && message.contains("finalizer"), message);
    }

    // What is allowed

    static class Allowed {
        private final Object lock = new Object();
        private volatile int x;

        @Actor
        int writer() {
            System.out.print("");
            System.err.flush();
            Random random = new Random(42);
            LongSupplier time = System::nanoTime;
            long first = time.getAsLong();
            x = random.nextInt(10) - new Random(42).nextInt(10) + 1;
            Runnable enter = () -> {
                synchronized (lock) {
                    Runnable wake = lock::notifyAll;
                    wake.run();
                }
            };
            enter.run();
            return time.getAsLong() >= first ? 1 : 0;
        }

        @Actor
        int reader() throws ReflectiveOperationException {
            Object made = Class.forName(Getter.class.getName().replace("Getter", "Allowed"))
                    .getDeclaredConstructor()
                    .newInstance();
            return made instanceof Allowed other ? other.x : -1;
        }
    }

    @Test
    void outputAndRandomNumbersFromASeedAreAllowed() {
        assertEquals(set("0,1"), outcomes(Allowed.class));
    }

    static class HandleOfTheJdk {
        private static final MethodHandle TIME;

        static {
            try {
                TIME = MethodHandles.lookup().findStatic(System.class, "nanoTime", MethodType.methodType(long.class));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Actor
        long actor() throws Throwable {
            return (long) TIME.invokeExact();
        }
    }

    static class HandleOfItsOwn {
        private volatile int x;

        int add(int number) {
            return x += number;
        }

        @Actor
        int actor() throws Throwable {
            MethodHandle add = MethodHandles.lookup()
                    .findVirtual(HandleOfItsOwn.class, "add", MethodType.methodType(int.class, int.class));
            return (int) add.invokeExact(this, 3);
        }
    }

    /** A method that is called by a handle is instrumented or refused. */
    @Test
    void methodsOfTheJdkAreNotCalledByHandles() {
        refused(HandleOfTheJdk.class, "java.lang.System.nanoTime is called by a method handle", "Call it by its name");
        assertEquals(set("3"), outcomes(HandleOfItsOwn.class));
    }

    static class Invokes {
        @Actor
        void actor() throws ReflectiveOperationException {
            System.class.getMethod("nanoTime").invoke(null);
        }
    }

    static class WaitsForItself {
        @Actor
        void actor() throws InterruptedException {
            new Semaphore(0).acquire();
        }
    }

    static class WaitsForAResult {
        @Actor
        void actor() {
            new CompletableFuture<String>().join();
        }
    }

    /** Without it, the check of the last two would never end. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatIsDoneBehindTheCheckerIsRefused() {
        refused(Invokes.class, "java.lang.System.nanoTime is called by a method handle or by reflection");
        refused(WaitsForItself.class, "java.util.concurrent.Semaphore waits past the checker");
        refused(WaitsForAResult.class, "java.util.concurrent.CompletableFuture.join waits past the checker");
    }

    static class UsesAStaticArray {
        @Actor(2)
        int actor() {
            return Library.InArray.next();
        }
    }

    static class UsesAConstantWithState {
        @Actor(2)
        int actor() {
            return Library.InConstant.ONLY.next();
        }
    }

    @Test
    void librariesThatRememberAreNotCalled() {
        refused(
                UsesAStaticArray.class,
                "Library$InArray.next is called, and its class has static fields that the checker cannot follow");
        refused(UsesAConstantWithState.class, "Library$InConstant");
    }
}
