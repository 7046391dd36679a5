package dev.cqs.amc;

/** Classes that are no scenarios, and scenarios that cannot be checked to the end. */
public final class BadScenarios {

    private BadScenarios() {}

    static class NoActors {
        int value;
    }

    static class WrongParameter {
        @Actor
        void runs(String name) {}
    }

    static class ReturnsAnObject {
        @Actor
        Object runs() {
            return null;
        }
    }

    static class NoCopies {
        @Actor(0)
        void runs() {}
    }

    static class TooManyCopies {
        @Actor(33)
        void runs() {}
    }

    abstract static class Abstract {
        @Actor
        void runs() {}
    }

    interface AnInterface {
        @Actor
        default void runs() {}
    }

    class Inner {
        @Actor
        void runs() {}
    }

    static Class<?> local() {
        class Local {
            @Actor
            void runs() {}
        }
        return Local.class;
    }

    static class ConstructorWithParameter {
        ConstructorWithParameter(int size) {}

        @Actor
        void runs() {}
    }

    static class PrivateConstructor {
        private PrivateConstructor() {}

        @Actor
        void runs() {}
    }

    static class ThrowingConstructor {
        ThrowingConstructor() {
            throw new IllegalStateException("no luck");
        }

        @Actor
        void runs() {}
    }

    static class ThrowingInitializer {
        static int value = Integer.parseInt("none");

        @Actor
        void runs() {}
    }

    static class UsesThrowingInitializer {
        @Actor
        void runs() {
            ThrowingInitializer.value = 1;
        }
    }

    static class EffectsWithoutEnd {
        volatile int value;

        @Actor
        void runs() {
            while (true) {
                value++;
            }
        }
    }

    static class RecursionWithEffects {
        volatile int value;

        @Actor
        void runs() {
            value = 1;
            runs();
        }
    }

    static class Recursion {
        @Actor
        void runs() {
            runs();
        }
    }

    static class LoopOnLocals {
        @Actor
        void runs() {
            int value = 1;
            while (value != 0) {
                value += 2;
            }
        }
    }

    static class EmptyLoop {
        @Actor
        void runs() {
            for (; ; ) {}
        }
    }

    static class LoopInConstructor {
        volatile boolean ready;

        LoopInConstructor() {
            while (!ready) {
                Thread.onSpinWait();
            }
        }

        @Actor
        void runs() {}
    }

    static class CatchesRefusal {
        @Actor
        void runs() {
            try {
                Math.random();
            } catch (RuntimeException thrown) {
                return;
            }
        }
    }

    static class SharesText {
        final StringBuilder text = new StringBuilder();

        @Actor
        void runs() {
            text.append("here");
        }
    }

    /** Nested local loops that end, with a number of iterations well below that of a presumably endless loop. */
    static class ManyLocalIterations {
        @Actor
        int runs() {
            int sum = 0;
            for (int outer = 0; outer < 100; outer++) {
                for (int inner = 0; inner < 100; inner++) {
                    sum += inner > outer ? 1 : 0;
                }
            }
            return sum;
        }
    }
}
