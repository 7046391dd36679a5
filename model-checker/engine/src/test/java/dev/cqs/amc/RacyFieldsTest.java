package dev.cqs.amc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Races are allowed on fields by name. A wrong name is refused, unless an error is found before its class is loaded.
 */
class RacyFieldsTest {

    private static final String FIELD = "dev.cqs.amc.RacyFieldsTest$Late.count";

    static final class Late {

        int count;
    }

    static class Races {

        private final Late late = new Late();

        @Actor(2)
        void counts(int me) {
            late.count++;
        }
    }

    static class RacesBefore {

        private int count;

        @Actor(2)
        void counts(int me) {
            if (++count == 2) {
                new Late().count++;
            }
        }
    }

    static class DoesWithout {

        private volatile int count;

        @Actor(2)
        void counts(int me) {
            count = me;
        }
    }

    private static AwaitModelChecker checker() {
        return AwaitModelChecker.under(Model.RC11).allowRaces(FIELD);
    }

    @Test
    void whatIsNamedMayRace() {
        assertEquals(
                Verdict.DATA_RACE,
                AwaitModelChecker.under(Model.RC11).check(Races.class).verdict());
        assertEquals(Verdict.VERIFIED, checker().check(Races.class).verdict());
    }

    @Test
    void anErrorIsToldThatComesBeforeTheClassOfTheField() {
        assertEquals(Verdict.DATA_RACE, checker().check(RacesBefore.class).verdict());
    }

    @Test
    void aNameOfNothingIsRefused() {
        Exception thrown =
                assertThrows(IllegalArgumentException.class, () -> checker().check(DoesWithout.class));
        assertTrue(thrown.getMessage().contains(FIELD), thrown.getMessage());
    }
}
