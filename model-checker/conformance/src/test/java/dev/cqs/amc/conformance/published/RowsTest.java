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
 * The classic locks as ordinary classes can run in as many ways as the literature counts, neither more nor fewer. The
 * numbers are those of the same locks as programs of the checker's own language.
 */
class RowsTest {

    /**
     * A lock with a number of threads.
     *
     * @param scenario what the threads do
     * @param threads how many there are
     * @param executions in how many ways they can do it
     */
    record Row(Class<?> scenario, int threads, long executions) {

        @Override
        public String toString() {
            return scenario.getSimpleName();
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row(Clients.TicketTwo.class, 2, 2),
                new Row(Clients.TicketThree.class, 3, 6),
                new Row(Clients.TicketFour.class, 4, 24),
                new Row(Clients.TtasTwo.class, 2, 4),
                new Row(Clients.TtasThree.class, 3, 36),
                new Row(Clients.CasTtasTwo.class, 2, 4),
                new Row(Clients.CasTtasThree.class, 3, 36),
                new Row(Clients.TwaTwo.class, 2, 4),
                new Row(Clients.TwaThree.class, 3, 96),
                new Row(Clients.CasTwo.class, 2, 2),
                new Row(Clients.CasThree.class, 3, 6),
                new Row(Clients.CasFour.class, 4, 24),
                new Row(Clients.McsTwo.class, 2, 6),
                new Row(Clients.McsThree.class, 3, 66),
                new Row(Clients.McsFour.class, 4, 1080),
                new Row(Clients.ClhTwo.class, 2, 2),
                new Row(Clients.ClhThree.class, 3, 6),
                new Row(Clients.ClhFour.class, 4, 24),
                new Row(Clients.ArrayTwo.class, 2, 2),
                new Row(Clients.ArrayThree.class, 3, 6),
                new Row(Clients.ArrayFour.class, 4, 24),
                new Row(Clients.HemTwo.class, 2, 6),
                new Row(Clients.HemThree.class, 3, 66),
                new Row(Clients.HemFour.class, 4, 1032),
                new Row(Clients.CqsTwo.class, 2, 8),
                new Row(Clients.CqsThree.class, 3, 258),
                new Row(Clients.CqsFour.class, 4, 19_032));
    }

    static Stream<Arguments> rowsUnderModels() {
        return rows().flatMap(row -> models(row.threads).stream().map(model -> Arguments.of(row, model)));
    }

    private static List<Model> models(int threads) {
        return threads == 3 ? List.of(Model.RC11, Model.SC, Model.TSO) : List.of(Model.RC11);
    }

    @ParameterizedTest(name = "{0} under {1}")
    @MethodSource("rowsUnderModels")
    void numberOfExecutionsIsAsPublished(Row row, Model model) {
        Result result = AwaitModelChecker.under(model).instrument("dev.cqs.amc.conformance", "dev.cqs.locks").check(row.scenario);
        assertEquals(Verdict.VERIFIED, result.verdict(), result::toString);
        assertEquals(row.threads, result.threads());
        assertEquals(row.executions, result.complete(), result::toString);
    }
}
