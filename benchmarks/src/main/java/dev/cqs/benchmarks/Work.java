package dev.cqs.benchmarks;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The measured work of one side of a row. Equal works are measured once per round, also if several rows name them. */
interface Work {
    /**
     * Measures the work once.
     *
     * @param quick whether to run as briefly as possible, only to show that it runs
     */
    Sample sample(boolean quick) throws RunnerException;

    /**
     * The result of one fork.
     *
     * @param nanos per operation, or NaN
     * @param bytes per operation, or retained, or NaN
     * @param rejected how many forks before this one were rejected
     * @param counters the other counters of the benchmark, by name
     */
    record Sample(double nanos, double bytes, int rejected, Map<String, Double> counters) {
        Sample(double nanos, double bytes, int rejected) {
            this(nanos, bytes, rejected, Map.of());
        }
    }

    /** The threads and processors of a fork. */
    enum Place {
        /** One thread of JMH, on any processor. */
        FREE,
        /** One thread of JMH and all threads that it starts, on one processor. */
        PINNED,
        /** Two threads of JMH, on any processors. */
        PAIR,
        /** Two threads of JMH on one processor. */
        PINNED_PAIR,
        /** Two threads of JMH on two processors, which is checked. */
        TWO
    }

    /** A method of a JMH class, in a fork of its own. */
    record Fork(Class<?> in, String method, Place place, Map<String, String> params) implements Work {
        /** If half of the iterations scale less than this, the two threads of a fork were not on two processors. */
        private static final double LEAST_SCALING = 1.8;

        private static final int MOST_REJECTED = 4;

        /**
         * A heap of fixed size. The other flags silence a warning of new JDKs about JMH, and one of old JDKs about that flag.
         */
        private static final String[] JVM = {
            "-Xms1g", "-Xmx1g", "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow"
        };

        /** Creates a fork with these parameters, as in {@code "threads=8 kind=platform"}. */
        static Fork of(Class<?> in, String method, Place place, String params) {
            Map<String, String> map = new LinkedHashMap<>();
            for (String param : params.split(" ")) {
                String[] parts = param.split("=");
                if (parts.length == 2) {
                    map.put(parts[0], parts[1]);
                }
            }
            return new Fork(in, method, place, map);
        }

        @Override
        public Sample sample(boolean quick) throws RunnerException {
            for (int rejected = 0; rejected <= MOST_REJECTED; rejected++) {
                RunResult result = new Runner(options(quick).build()).runSingle();
                if (place != Place.TWO || quick || onTwoProcessors(result)) {
                    Map<String, Double> counters = new HashMap<>();
                    result.getSecondaryResults()
                            .forEach((name, found) ->
                                    counters.put(name, found.getStatistics().getPercentile(50)));
                    double nanos = result.getPrimaryResult().getStatistics().getPercentile(50);
                    return new Sample(nanos, secondary(result, "gc.alloc.rate.norm"), rejected, counters);
                }
            }
            return new Sample(Double.NaN, Double.NaN, MOST_REJECTED + 1);
        }

        private static double secondary(RunResult result, String name) {
            var found = result.getSecondaryResults().get(name);
            return found == null ? Double.NaN : found.getStatistics().getPercentile(50);
        }

        private static boolean onTwoProcessors(RunResult result) {
            return secondary(result, Scaling.BASE) >= LEAST_SCALING && secondary(result, Scaling.USE) >= LEAST_SCALING;
        }

        private ChainedOptionsBuilder options(boolean quick) {
            ChainedOptionsBuilder options = new OptionsBuilder()
                    .include("^" + in.getName().replace(".", "\\.") + "\\." + method + "$")
                    .forks(1)
                    .jvmArgs(JVM)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT);
            params.forEach((name, value) -> options.param(name, value));
            if (in != PastCancelled.class && in != CoroutinePastCancelled.class) {
                options.addProfiler(GCProfiler.class); // with other modes it would count the creation of the queues
            }
            if (place == Place.PINNED || place == Place.PINNED_PAIR) {
                options.addProfiler(Pinned.class);
            }
            if (place == Place.TWO) {
                options.addProfiler(Scaling.class);
            }
            if (place == Place.TWO || place == Place.PAIR || place == Place.PINNED_PAIR) {
                options.threads(2);
            }
            if (quick) {
                options.warmupIterations(1).warmupTime(TimeValue.milliseconds(100));
                options.measurementIterations(1).measurementTime(TimeValue.milliseconds(100));
            }
            return options;
        }
    }

    /** The bytes that an object retains, measured in this JVM. */
    record Retained(DoubleSupplier count) implements Work {
        @Override
        public Sample sample(boolean quick) {
            return new Sample(Double.NaN, count.getAsDouble(), 0);
        }
    }
}
