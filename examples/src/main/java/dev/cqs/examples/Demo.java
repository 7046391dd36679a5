package dev.cqs.examples;

import dev.cqs.examples.Comparison.Result;
import dev.cqs.examples.ThreadKinds.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares, in some ten seconds, the mutex and the semaphore of this library with the fair ones of {@code
 * java.util.concurrent}: under contention, in their order, and in the cost of a timeout.
 */
public final class Demo {
    private final Scale scale;
    private final Screen screen;
    private final List<Kind> kinds = ThreadKinds.present();

    Demo(boolean quick, Screen screen) {
        this.scale = quick ? Scale.quick() : Scale.full(kinds.size());
        this.screen = screen;
    }

    /** Runs the demo. With {@code --quick} it is very short, and its figures mean nothing. */
    public static void main(String[] args) throws InterruptedException {
        boolean quick = args.length == 1 && args[0].equals("--quick");
        if (args.length > 0 && !quick) {
            System.err.println("usage: Demo [--quick]");
            System.exit(2);
        }
        new Demo(quick, Screen.standard()).run();
    }

    List<Result> run() throws InterruptedException {
        introduce();
        expect();
        List<Result> results = new ArrayList<>();
        for (Kind kind : kinds) {
            for (Primitive primitive : Primitive.values()) {
                results.add(new Comparison(kind, primitive, scale, screen).run());
            }
        }
        screen.finish();
        new Table(results).show(screen);
        explain();
        return results;
    }

    private void introduce() {
        screen.line(screen.bold("cqs beside java.util.concurrent (fair)") + " on JDK "
                + System.getProperty("java.version") + ", " + System.getProperty("os.name") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors");
        if (kinds.size() == 1) {
            screen.line("Platform threads only: virtual threads need JDK 21 or later.");
        }
    }

    private void expect() {
        double millis = 0;
        for (Kind kind : kinds) {
            millis += Primitive.values().length * scale.millisPerComparison(kind);
        }
        screen.expect(millis);
    }

    private void explain() {
        screen.line("");
        screen.line("throughput    acquires of all contending threads, with a little work in between");
        screen.line("FIFO order    whether waiting threads are served in order of arrival");
        screen.line("timeout cost  the work to be enqueued behind other threads and cancelled again");
        screen.line("Medians of short runs, good for a glance. These two measure exactly:");
        screen.line("mvn -Pbench, ./gradlew :benchmarks:figures");
    }
}
