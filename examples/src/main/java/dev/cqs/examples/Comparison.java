package dev.cqs.examples;

import dev.cqs.examples.ThreadKinds.Kind;
import java.util.Arrays;

/** Measures one primitive of ours beside its peer, for one kind of threads. The two sides are measured in turn. */
final class Comparison {
    /** For the progress bar: the approximate time to start a waiter and to see it parked. */
    static final double MILLIS_PER_WAITER = 0.05;

    /** The figures of one side. */
    record Figures(double perSecond, boolean inOrder, double microsPerTimeout) {}

    /** The figures of both sides, and the setting in which they were measured. */
    record Result(Kind kind, Primitive primitive, int threads, int waiters, Figures ours, Figures peer) {}

    private static final String[] SIDES = {"cqs", "j.u.c."};

    private final Kind kind;
    private final Primitive primitive;
    private final Scale scale;
    private final Screen screen;
    private final String title;

    Comparison(Kind kind, Primitive primitive, Scale scale, Screen screen) {
        this.kind = kind;
        this.primitive = primitive;
        this.scale = scale;
        this.screen = screen;
        this.title = kind.name() + " " + primitive.title + ": ";
    }

    Result run() throws InterruptedException {
        double[] perSecond = contend();
        screen.report(
                title + "throughput " + Text.rate(perSecond[0]) + " (cqs), " + Text.rate(perSecond[1]) + " (j.u.c.)");
        int waiters = scale.waiters(kind);
        WaitingLine ours = new WaitingLine(primitive.ours(), primitive.permits, kind.factory(), waiters);
        WaitingLine peer = new WaitingLine(primitive.peer(), primitive.permits, kind.factory(), waiters);
        fill(ours, 0, waiters);
        fill(peer, waiters, waiters);
        double[] micros = timeOut(ours, peer);
        screen.report(
                title + "timeout cost " + Text.micros(micros[0]) + " (cqs), " + Text.micros(micros[1]) + " (j.u.c.)");
        screen.advance(0, title + "all waiters are served");
        boolean oursInOrder = ours.serveInOrder();
        boolean peerInOrder = peer.serveInOrder();
        return new Result(
                kind,
                primitive,
                scale.threads(kind),
                waiters,
                new Figures(perSecond[0], oursInOrder, micros[0]),
                new Figures(perSecond[1], peerInOrder, micros[1]));
    }

    private double[] contend() throws InterruptedException {
        int threads = scale.threads(kind);
        String text = title + Text.count(threads) + " contend";
        screen.advance(0, text);
        return takeTurns(side -> {
            Gate gate = side == 0 ? primitive.ours() : primitive.peer();
            double perSecond =
                    Contention.perSecond(gate, primitive.permits, kind.factory(), threads, scale.contentionMillis());
            screen.advance(scale.contentionMillis(), text + ", " + SIDES[side] + " " + Text.rate(perSecond));
            return perSecond;
        });
    }

    private void fill(WaitingLine line, int before, int waiters) {
        int[] seen = {0};
        line.fill(filled -> {
            String text = title + Text.count(before + filled) + " wait";
            screen.advance((filled - seen[0]) * MILLIS_PER_WAITER, text);
            seen[0] = filled;
        });
    }

    /** Measures timed-out acquires, in a thread of the measured kind. */
    private double[] timeOut(WaitingLine ours, WaitingLine peer) throws InterruptedException {
        double[][] micros = {null};
        String text = title + "timeout behind " + Text.count(scale.waiters(kind));
        Team team = new Team(kind.factory());
        team.start(() -> micros[0] = takeTurns(side -> {
            double mean = (side == 0 ? ours : peer).microsPerTimeout(scale.timeoutMillis());
            screen.advance(scale.timeoutMillis(), text + ", " + SIDES[side] + " " + Text.micros(mean));
            return mean;
        }));
        team.join();
        return micros[0];
    }

    private interface Turn {
        double take(int side) throws InterruptedException;
    }

    /** Runs ours and the peer in turn. The first turn of each is a warm-up. The result is the median of the others. */
    private double[] takeTurns(Turn turn) throws InterruptedException {
        double[][] figures = new double[2][scale.rounds()];
        for (int round = -1; round < scale.rounds(); round++) {
            for (int side = 0; side < 2; side++) {
                double figure = turn.take(side);
                if (round >= 0) {
                    figures[side][round] = figure;
                }
            }
        }
        return new double[] {median(figures[0]), median(figures[1])};
    }

    private static double median(double[] figures) {
        Arrays.sort(figures);
        return figures[figures.length / 2];
    }
}
