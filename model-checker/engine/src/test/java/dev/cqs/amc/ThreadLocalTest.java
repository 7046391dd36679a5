package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each thread of a scenario has its own value of a ThreadLocal, which is fresh in each execution. */
class ThreadLocalTest {

    private static Set<String> signatures(Class<?> type) {
        Set<String> signatures = new TreeSet<>();
        for (Method method : type.getDeclaredMethods()) {
            if ((method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
                signatures.add(method.toGenericString().replace("dev.cqs.amc.jdk.", "java.lang."));
            }
        }
        Arrays.stream(type.getConstructors())
                .map(made -> made.toGenericString().replace("dev.cqs.amc.jdk.", "java.lang."))
                .forEach(signatures::add);
        return signatures;
    }

    private static Result check(Class<?> scenario, Model model) {
        return AwaitModelChecker.under(model).check(scenario);
    }

    @Test
    void hasTheMethodsOfTheOriginal() {
        assertEquals(signatures(ThreadLocal.class), signatures(dev.cqs.amc.jdk.ThreadLocal.class));
    }

    /**
     * Two threads count in thread locals, and contend for a variable in between, so that their code is replayed often.
     */
    static class Counts {
        private static final ThreadLocal<int[]> STATIC = ThreadLocal.withInitial(() -> new int[1]);

        private final ThreadLocal<Integer> own = new ThreadLocal<>() {
            @Override
            protected Integer initialValue() {
                return 10;
            }
        };
        private volatile int raced;

        Counts() {
            own.set(77);
            STATIC.get()[0] = 77;
        }

        @Actor(2)
        int counts() {
            own.set(own.get() + 1);
            STATIC.get()[0]++;
            raced = raced + 1;
            own.set(own.get() + 1);
            STATIC.get()[0]++;
            return own.get() * 100 + STATIC.get()[0];
        }

        @Arbiter
        int endHasItsOwn() {
            return own.get() * 100 + STATIC.get()[0];
        }
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void isOfTheThreadAndOfTheExecution(Model model) {
        Result result = check(Counts.class, model);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(Set.of(List.of(1202L, 1202L, 1000L)), result.outcomes().keySet());
        // Two increments that are a read and a write each: each thread reads the first value or what the other one
        // wrote.
        assertEquals(4, result.complete());
    }

    /** Only get tells whether a value was set. */
    static class Forgets {
        private final ThreadLocal<String> word = new ThreadLocal<>();

        @Actor
        int forgets() {
            int seen = word.get() == null ? 1 : 0;
            word.set("here");
            seen = seen * 10 + (word.get() == null ? 1 : 0);
            word.remove();
            return seen * 10 + (word.get() == null ? 1 : 0);
        }
    }

    @Test
    void isAsAtFirstAfterItsRemoval() {
        assertEquals(Map.of(List.of(101L), 1L), check(Forgets.class, Model.RC11).outcomes());
    }

    /** A loop that waits and counts its iterations in a ThreadLocal is no await, so it is not reported as a hang. */
    static class CountsIterations {
        private final ThreadLocal<Integer> iterations = ThreadLocal.withInitial(() -> 0);
        private volatile boolean ready;

        @Actor
        void sets() {
            ready = true;
        }

        @Actor
        boolean waits() {
            while (!ready && iterations.get() < 2) {
                iterations.set(iterations.get() + 1);
            }
            return iterations.get() <= 2;
        }
    }

    @Test
    void changeIsAnEffectOfALoop() {
        Result result = check(CountsIterations.class, Model.SC);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        // The first, second or third read of the flag reads true, or none does: the loop gives up after two iterations.
        assertEquals(4, result.complete());
    }
}
