package dev.cqs.benchmarks;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The smallest heap in which a million coroutines can wait for one semaphore, and then be cancelled, in bytes per coroutine.
 * With a million coroutines, bytes per coroutine are megabytes. Found by bisection, with a JVM for each try.
 *
 * <p>The serial collector is used, because it can fill its whole heap. The figure includes everything else in the heap, some
 * megabytes.
 */
record SmallestHeap(String whose, String then) implements Work {
    private static final String JAVA =
            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    private static final int KILO = 1 << 10;
    private static final int COROUTINES = 1_000_000;
    private static final int LEAST = 64 * KILO;
    private static final int MOST = 1024 * KILO;
    private static final int STEP = KILO;
    private static final int QUICK_STEP = 64 * KILO;
    private static final long MOST_SECONDS = 120;

    @Override
    public Sample sample(boolean quick) {
        int tooSmall = LEAST;
        int enough = MOST;
        try {
            if (!suffices(enough)) {
                throw new AssertionError("it does not fail for want of memory");
            }
            while (enough - tooSmall > (quick ? QUICK_STEP : STEP)) {
                int middle = (tooSmall + enough) / 2;
                if (suffices(middle)) {
                    enough = middle;
                } else {
                    tooSmall = middle;
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return new Sample(Double.NaN, (double) enough * KILO / COROUTINES, 0);
    }

    private boolean suffices(int kilobytes) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        JAVA,
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xms" + kilobytes + "k",
                        "-Xmx" + kilobytes + "k",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        MillionSuspended.class.getName(),
                        whose,
                        then))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}
