package dev.cqs.amc.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.CounterExample;
import dev.cqs.amc.CounterExample.Effect;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The repairs that the reports on published bugs of locks suggest are the actual fixes. */
class PublishedBugReportsTest {

    private static AwaitModelChecker checker(int bug) {
        AwaitModelChecker checker = AwaitModelChecker.under(Model.RC11).instrument("dev.cqs.locks");
        for (Map.Entry<String, Mode> mode : bug(bug).modes().entrySet()) {
            checker = checker.withMode(mode.getKey(), mode.getValue());
        }
        return checker;
    }

    private static PublishedBugsTest.Bug bug(int bug) {
        return PublishedBugsTest.bugs().toList().get(bug);
    }

    private static Set<String> changes(CounterExample.Repair repair) {
        return repair.changes().stream()
                .map(change -> change.site() + " " + change.mode())
                .collect(Collectors.toSet());
    }

    @Test
    void linkOfDpdkIsToRelease() {
        CounterExample example = checker(0).check(bug(0).client()).counterExample();
        CounterExample.Repair repair = example.explanation().repairs().get(0);
        assertEquals(Effect.VERIFIED, repair.effect(), example::text);
        assertTrue(changes(repair).contains("McsLock.lock:setRelease#0 RELEASE"), example::text);
        assertTrue(
                example.text().contains("The same execution is wrong under JLS and RC11, but not under SC and TSO.\n"),
                example::text);
    }

    /** The check of the repair has too many executions, so the report does not say that the repair is verified. */
    @Test
    void exchangeOfLinuxIsToAcquireWhenItFails() {
        CounterExample example = checker(2).check(bug(2).client()).counterExample();
        CounterExample.Repair repair = example.explanation().repairs().get(0);
        assertEquals(
                Set.of("QueuedSpinLock.takeAsFirst:weakCompareAndSetPlain#0 ACQUIRE"), changes(repair), example::text);
        assertEquals(Effect.RULES_OUT, repair.effect(), example::text);
    }
}
