package dev.cqs.amc.conformance.locks;

import static dev.cqs.amc.Mode.OPAQUE;
import static dev.cqs.amc.Mode.PLAIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Published bugs of locks in production are found in the same locks here, given the same weak accesses. */
class PublishedBugsTest {

    private static final Map<String, Mode> PLAIN_START =
            Map.of("QueuedSpinLock.waitInQueue:setOpaque#0", PLAIN, "QueuedSpinLock.waitInQueue:setOpaque#1", PLAIN);

    /**
     * A bug.
     *
     * @param sentence the bug, in a sentence
     * @param client the client of the lock
     * @param modes the modes of the accesses that are too weak
     * @param verdict the verdict that reveals it
     * @param hidden the models under which it is not revealed
     */
    record Bug(String sentence, Class<?> client, Map<String, Mode> modes, Verdict verdict, List<Model> hidden) {

        @Override
        public String toString() {
            return sentence;
        }
    }

    private static final List<Model> STRONG = List.of(Model.SC, Model.TSO);

    static Stream<Bug> bugs() {
        return Stream.of(
                new Bug(
                        "the MCS lock of DPDK links a node before it is ready",
                        LockClients.McsTwo.class,
                        Map.of("McsLock.lock:setRelease#0", OPAQUE, "McsLock.unlock:getAcquire#0", OPAQUE),
                        Verdict.HANG,
                        STRONG),
                new Bug(
                        "an MCS lock does not acquire its turn",
                        LockClients.McsTwo.class,
                        Map.of("McsLock.lock:getAcquire#0", OPAQUE),
                        Verdict.DATA_RACE,
                        List.of()),
                new Bug(
                        "the queued spin lock of Linux 4.5 links a node before it is ready",
                        LockClients.QueuedThree.class,
                        weakLink(Map.of()),
                        Verdict.HANG,
                        STRONG),
                new Bug(
                        "the same where a node is made ready plainly",
                        LockClients.QueuedThree.class,
                        weakLink(PLAIN_START),
                        Verdict.DATA_RACE,
                        List.of()));
    }

    private static Map<String, Mode> weakLink(Map<String, Mode> more) {
        Map<String, Mode> modes = new HashMap<>(more);
        modes.put("QueuedSpinLock.waitInQueue:setRelease#0", OPAQUE);
        modes.put("QueuedSpinLock.takeAsFirst:getAcquire#1", OPAQUE);
        return modes;
    }

    static Stream<Arguments> bugsUnderModels() {
        return bugs().flatMap(bug -> Stream.of(Model.values()).map(model -> Arguments.of(bug, model)));
    }

    private static Result check(Class<?> client, Map<String, Mode> modes, Model model) {
        AwaitModelChecker checker = AwaitModelChecker.under(model).instrument("dev.cqs.locks");
        for (Map.Entry<String, Mode> mode : modes.entrySet()) {
            checker = checker.withMode(mode.getKey(), mode.getValue());
        }
        return checker.check(client);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bugsUnderModels")
    void isFoundWhereItShows(Bug bug, Model model) {
        Result result = check(bug.client(), bug.modes(), model);
        if (bug.hidden().contains(model)) {
            assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
            return;
        }
        assertEquals(bug.verdict(), result.verdict(), result::toString);
        assertNotNull(result.counterExample());
    }

    /**
     * With a release of the link, plain initialization of a node is correct. SpinLocksVerifiedTest verifies the fixes
     * of the other bugs.
     */
    @ParameterizedTest
    @EnumSource
    void plainStartIsEnoughBehindAStrongLink(Model model) {
        Result result = check(LockClients.QueuedThree.class, PLAIN_START, model);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
    }
}
