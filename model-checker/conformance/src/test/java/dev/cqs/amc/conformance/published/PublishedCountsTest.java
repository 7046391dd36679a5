package dev.cqs.amc.conformance.published;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The classic locks, as ordinary classes, have exactly the published numbers of executions, which are also those of the
 * same locks as {@code Program}s.
 */
class PublishedCountsTest {

    /**
     * A lock with a number of threads.
     *
     * @param scenario the scenario class
     * @param threads the number of threads
     * @param executions the expected number of executions
     */
    record PublishedCount(Class<?> scenario, int threads, long executions) {

        @Override
        public String toString() {
            return scenario.getSimpleName();
        }
    }

    static Stream<PublishedCount> counts() {
        return Stream.of(
                new PublishedCount(Clients.TicketTwo.class, 2, 2),
                new PublishedCount(Clients.TicketThree.class, 3, 6),
                new PublishedCount(Clients.TicketFour.class, 4, 24),
                new PublishedCount(Clients.TtasTwo.class, 2, 4),
                new PublishedCount(Clients.TtasThree.class, 3, 36),
                new PublishedCount(Clients.CasTtasTwo.class, 2, 4),
                new PublishedCount(Clients.CasTtasThree.class, 3, 36),
                new PublishedCount(Clients.TwaTwo.class, 2, 4),
                new PublishedCount(Clients.TwaThree.class, 3, 96),
                new PublishedCount(Clients.CasTwo.class, 2, 2),
                new PublishedCount(Clients.CasThree.class, 3, 6),
                new PublishedCount(Clients.CasFour.class, 4, 24),
                new PublishedCount(Clients.McsTwo.class, 2, 6),
                new PublishedCount(Clients.McsThree.class, 3, 66),
                new PublishedCount(Clients.McsFour.class, 4, 1080),
                new PublishedCount(Clients.ClhTwo.class, 2, 2),
                new PublishedCount(Clients.ClhThree.class, 3, 6),
                new PublishedCount(Clients.ClhFour.class, 4, 24),
                new PublishedCount(Clients.ArrayTwo.class, 2, 2),
                new PublishedCount(Clients.ArrayThree.class, 3, 6),
                new PublishedCount(Clients.ArrayFour.class, 4, 24),
                new PublishedCount(Clients.HemTwo.class, 2, 6),
                new PublishedCount(Clients.HemThree.class, 3, 66),
                new PublishedCount(Clients.HemFour.class, 4, 1032),
                new PublishedCount(Clients.CqsTwo.class, 2, 8),
                new PublishedCount(Clients.CqsThree.class, 3, 258),
                new PublishedCount(Clients.CqsFour.class, 4, 19_032));
    }

    static Stream<Arguments> countsUnderModels() {
        return counts().flatMap(count -> models(count.threads).stream().map(model -> Arguments.of(count, model)));
    }

    private static List<Model> models(int threads) {
        return threads == 3 ? List.of(Model.RC11, Model.SC, Model.TSO) : List.of(Model.RC11);
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("countsUnderModels")
    void numberOfExecutionsIsAsPublished(PublishedCount count, Model model) {
        Result result = AwaitModelChecker.under(model)
                .instrument("dev.cqs.amc.conformance", "dev.cqs.locks")
                .check(count.scenario);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(count.threads, result.threads());
        assertEquals(count.executions, result.complete(), result::toString);
    }
}
