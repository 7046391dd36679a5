package dev.cqs.amc;

import dev.cqs.amc.report.DotReport;
import dev.cqs.amc.report.SvgReport;
import dev.cqs.amc.report.TextReport;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An execution that is wrong, why it is, and what would repair it. {@link #text()}, {@link #dot()} and {@link #svg()} show
 * it; {@link #replay()} has it run again, under a debugger for example.
 *
 * <p>Two are equal if they are of the same execution: what has been thrown, and what is known of repairs, does not count.
 *
 * @param program the name of the program
 * @param model the memory model under which it was found
 * @param loopBound how often a loop whose rounds have effects was repeated at most
 * @param verdict what is wrong
 * @param message what is wrong, in a sentence
 * @param threads the names of the threads that do something
 * @param steps what the threads do, in an order in which every value is written before it is read; if
 *     {@linkplain Explanation#isOrdinary one memory and one step at a time explain it}, then in an order in which it happens
 * @param edges how the steps hang together, besides the order of the steps of each thread
 * @param writeOrders for each variable that is written more than once, in which order
 * @param explanation why it is wrong, and what would repair it
 * @param replay what {@link AwaitModelChecker#replay(Program, String)} takes
 * @param cause what the program has thrown, or null
 */
public record CounterExample(
        String program,
        Model model,
        int loopBound,
        Verdict verdict,
        String message,
        List<String> threads,
        List<Step> steps,
        List<Edge> edges,
        List<String> writeOrders,
        Explanation explanation,
        String replay,
        @Nullable Throwable cause) {

    /**
     * A step of a thread.
     *
     * @param number its number, from 1 on
     * @param thread the index of its thread
     * @param operation what it does, such as {@code read.acquire x = 1}
     * @param sources of a step that reads: the numbers of the steps that have written the values, initial values left out
     * @param place the file and line of its source, or null if that is unknown
     * @param guilty whether the message is about this step
     */
    public record Step(
            int number,
            int thread,
            String operation,
            List<Integer> sources,
            @Nullable String place,
            boolean guilty) {

        /**
         * Copies the list.
         *
         * @param number its number, from 1 on
         * @param thread the index of its thread
         * @param operation what it does, such as {@code read.acquire x = 1}
         * @param sources of a step that reads: the numbers of the steps that have written the values, initial values
         *     left out
         * @param place the file and line of its source, or null if that is unknown
         * @param guilty whether the message is about this step
         */
        public Step {
            sources = List.copyOf(sources);
        }
    }

    /** Why one step comes before another one. */
    public enum Order {
        /** The order of the steps of one thread. */
        PROGRAM("po", "program order"),
        /** From a write to a read that takes its value. */
        READS_FROM("rf", "reads from"),
        /** From a write to a later one of the same variable. */
        WRITES("co", "order of writes"),
        /** From a read to a write that replaces the value which it has read. */
        FROM_READ("fr", "is overwritten by"),
        /** From a release to the acquire that sees it: what comes before the one happens before what comes after the other. */
        SYNCHRONIZES("sw", "synchronizes with"),
        /** From the start of a thread to its first step. */
        STARTS("start", "starts"),
        /** From the last step of a thread to the one that waits for its end. */
        ENDS("join", "ends before");

        private final String sign;
        private final String words;

        Order(String sign, String words) {
            this.sign = sign;
            this.words = words;
        }

        /** {@return its name in papers, such as {@code rf}} */
        public String sign() {
            return sign;
        }

        /** {@return what it means, in words that go between the two steps} */
        public String words() {
            return words;
        }
    }

    /**
     * One step comes before another one.
     *
     * @param order why
     * @param from the number of the one
     * @param to the number of the other
     */
    public record Edge(Order order, int from, int to) {}

    /**
     * What the execution tells about the program.
     *
     * @param reasons why it is wrong, in sentences
     * @param cycle the shortest cycle that is in the way of one memory and one step at a time; empty if there is none,
     *     or none was found in a very long execution
     * @param asked the models that were asked about this execution, the one that allows least first; {@code JLS} is not
     *     asked about a very long one
     * @param models those of them under which this very execution is wrong
     * @param repairs the smallest changes that were found to be enough
     * @param advice what else there is to say about models and repairs, in sentences
     */
    public record Explanation(
            List<String> reasons,
            List<Edge> cycle,
            List<Model> asked,
            List<Model> models,
            List<Repair> repairs,
            List<String> advice) {

        /**
         * Copies the lists.
         *
         * @param reasons why it is wrong, in sentences
         * @param cycle the shortest cycle that is in the way of one memory and one step at a time; empty if there is
         *     none, or none was found in a very long execution
         * @param asked the models that were asked about this execution, the one that allows least first; {@code JLS} is
         *     not asked about a very long one
         * @param models those of them under which this very execution is wrong
         * @param repairs the smallest changes that were found to be enough
         * @param advice what else there is to say about models and repairs, in sentences
         */
        public Explanation {
            reasons = List.copyOf(reasons);
            cycle = List.copyOf(cycle);
            asked = List.copyOf(asked);
            models = List.copyOf(models);
            repairs = List.copyOf(repairs);
            advice = List.copyOf(advice);
        }

        /** {@return whether the execution is also one of sequential consistency: an ordinary schedule} */
        public boolean isOrdinary() {
            return models.contains(Model.SC);
        }
    }

    /**
     * Accesses or fences that are to be stronger, all of them.
     *
     * @param changes what is to be stronger
     * @param effect what is known to come of it
     */
    public record Repair(List<Change> changes, Effect effect) {

        /**
         * Copies the list.
         *
         * @param changes what is to be stronger
         * @param effect what is known to come of it
         */
        public Repair {
            changes = List.copyOf(changes);
        }

        /**
         * {@return the repair with what is known of it}
         *
         * @param known what trying it has shown
         */
        public Repair with(Effect known) {
            return new Repair(changes, known);
        }
    }

    /** What is known to come of a repair. */
    public enum Effect {
        /** The accesses of this race are in order then; other executions have not been looked at. */
        ORDERS_THE_RACE("puts the two accesses of this race in order"),
        /** The loop reads its variable in each round then, whatever the compiler does. */
        READS_ANEW("has each round of the loop read anew"),
        /** This execution is impossible then; others have not been looked at. */
        RULES_OUT("rules out this execution"),
        /** The whole check was run again with the repair, and found nothing wrong. */
        VERIFIED("repairs it: the whole check was run again with that, and found nothing wrong"),
        /** The check was run again with the repair, and found another error. */
        ANOTHER_ERROR("is not enough: this execution is not wrong then, but another one is");

        private final String words;

        Effect(String words) {
            this.words = words;
        }

        /** {@return the effect in words that follow the repair} */
        public String words() {
            return words;
        }
    }

    /**
     * An access or a fence that is to be stronger.
     *
     * @param site the {@link AccessSite#key} of the access, or null if it has none
     * @param place where it is, or what it is if there is no more to say
     * @param step the number of a step that it makes, or 0 if it makes one in other executions
     * @param mode how strong it is to be
     */
    public record Change(@Nullable String site, String place, int step, Mode mode) {

        /** {@return the same without the step} */
        public Change elsewhere() {
            return new Change(site, place, 0, mode);
        }

        /** {@return the change in words, such as {@code #2 (write.opaque ready = 1) a release}} */
        public String words() {
            return (step == 0 ? "the access " : "#" + step + " ")
                    + place
                    + switch (mode) {
                        case ACQUIRE -> " an acquire";
                        case RELEASE -> " a release";
                        case OPAQUE -> " opaque";
                        default -> " " + mode.name().toLowerCase(Locale.ROOT).replace('_', ' ');
                    };
        }
    }

    /**
     * Copies the lists.
     *
     * @param program the name of the program
     * @param model the memory model under which it was found
     * @param loopBound how often a loop whose rounds have effects was repeated at most
     * @param verdict what is wrong
     * @param message what is wrong, in a sentence
     * @param threads the names of the threads that do something
     * @param steps what the threads do, in an order in which every value is written before it is read; if {@linkplain
     *     Explanation#isOrdinary one memory and one step at a time explain it}, then in an order in which it happens
     * @param edges how the steps hang together, besides the order of the steps of each thread
     * @param writeOrders for each variable that is written more than once, in which order
     * @param explanation why it is wrong, and what would repair it
     * @param replay what {@link AwaitModelChecker#replay(Program, String)} takes
     * @param cause what the program has thrown, or null
     */
    public CounterExample {
        threads = List.copyOf(threads);
        steps = List.copyOf(steps);
        edges = List.copyOf(edges);
        writeOrders = List.copyOf(writeOrders);
    }

    /**
     * {@return the same with other repairs}
     *
     * @param repairs in the order in which they are to be shown
     */
    public CounterExample withRepairs(List<Repair> repairs) {
        Explanation changed = new Explanation(
                explanation.reasons(),
                explanation.cycle(),
                explanation.asked(),
                explanation.models(),
                repairs,
                explanation.advice());
        return new CounterExample(
                program,
                model,
                loopBound,
                verdict,
                message,
                threads,
                steps,
                edges,
                writeOrders,
                changed,
                replay,
                cause);
    }

    /**
     * {@return the step with this number}
     *
     * @param number from 1 on, as the text of the execution counts them
     */
    public Step step(int number) {
        return steps.get(number - 1);
    }

    /**
     * {@return the execution as text, with a column per thread} The steps that the message is about have an exclamation
     * mark. A cell that is wider than its column goes on into the next one, where nothing else is in its row.
     */
    public String text() {
        return TextReport.of(this);
    }

    /** {@return the execution for Graphviz, with a box around each thread} */
    public String dot() {
        return DotReport.of(this);
    }

    /** {@return the execution as a picture that needs nothing else: a file for a browser} */
    public String svg() {
        return SvgReport.of(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CounterExample that
                && program.equals(that.program)
                && model == that.model
                && loopBound == that.loopBound
                && verdict == that.verdict
                && message.equals(that.message)
                && threads.equals(that.threads)
                && steps.equals(that.steps)
                && edges.equals(that.edges)
                && writeOrders.equals(that.writeOrders)
                && explanation.reasons().equals(that.explanation.reasons())
                && explanation.cycle().equals(that.explanation.cycle())
                && explanation.models().equals(that.explanation.models())
                && replay.equals(that.replay);
    }

    @Override
    public int hashCode() {
        return Objects.hash(program, model, verdict, message, steps);
    }
}
