package dev.cqs.amc;

import java.util.List;
import java.util.Locale;

/**
 * Measures how many executions of some programs the checker visits per second when warm. Not a test: a main program, to
 * be run on an idle machine.
 */
public final class ProgramRates {

    private static final List<String> PROGRAMS = List.of("ainc(7)", "MCS(4)", "CQS(4)");
    private static final long WARM_UP_NANOS = 5_000_000_000L;
    private static final long MEASURED_NANOS = 5_000_000_000L;

    private ProgramRates() {}

    /** Measures the benchmarks of these names, or three of them, under RC11. */
    public static void main(String[] args) {
        List<String> names = args.length == 0 ? PROGRAMS : List.of(args);
        for (Benchmark benchmark : Benchmark.all()) {
            if (names.contains(benchmark.program().name())) {
                run(benchmark.program(), WARM_UP_NANOS);
                System.out.println(run(benchmark.program(), MEASURED_NANOS));
            }
        }
    }

    private static String run(Program program, long nanos) {
        long begin = System.nanoTime();
        long complete = 0;
        long all = 0;
        Result result = null;
        while (System.nanoTime() - begin < nanos) {
            result = AwaitModelChecker.under(Model.RC11).check(program);
            complete += result.complete();
            all += result.complete() + result.blocked();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return String.format(
                Locale.ROOT,
                "%-20s %,12.0f complete/s %,12.0f executions/s, graphs of up to %d events",
                program.name(),
                complete / seconds,
                all / seconds,
                result.largestGraph());
    }
}
