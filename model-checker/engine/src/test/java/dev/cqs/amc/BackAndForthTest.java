package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Objects that are passed back and forth between threads. In a replay, the run of each thread needs an object of the
 * other, and one of them continues before the other has reached the point at which it passes its object.
 */
class BackAndForthTest {

    static class Holder {
        int value;
    }

    static class Answers {
        private volatile Holder question;
        private volatile Holder answer;

        /** It runs first, and makes its object before it reads that of the other. */
        @Actor
        void answers() {
            Holder made = new Holder();
            Holder asked = question;
            made.value = asked == null ? 1 : asked.value + 1;
            answer = made;
        }

        @Actor
        int asks() {
            Holder made = new Holder();
            made.value = 10;
            question = made;
            Holder answered = answer;
            return answered == null ? 0 : answered.value;
        }
    }

    @ParameterizedTest
    @EnumSource(Model.class)
    void objectIsKnownToTheThreadThatReadsIt(Model model) {
        Result result = AwaitModelChecker.under(model).check(Answers.class);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        // The question is read or not, and so is the answer. No answer is read twice.
        assertEquals(Map.of(List.of(0L), 2L, List.of(1L), 1L, List.of(11L), 1L), result.outcomes());
    }
}
