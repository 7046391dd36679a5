package dev.cqs.benchmarks;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The smallest heap in which a million coroutines can wait for one semaphore, and then be cancelled, in bytes per
 * coroutine; so many bytes per coroutine are so many megabytes. Found by bisection, with a JVM of its own for each try.
 *
 * <p>The collector is the serial one, because its heap has no parts that it keeps free or cannot fill. Everything else
 * that the JVM keeps in its heap is in the figure, some megabytes.
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
                throw new AssertionError("it fails for another reason");
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
