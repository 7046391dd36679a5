package dev.cqs.amc;

import dev.cqs.amc.report.DotReport;
import dev.cqs.amc.report.SvgReport;
import dev.cqs.amc.report.TextReport;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An execution that is wrong, with the reason and possible repairs. {@link #text()}, {@link #dot()} and {@link #svg()}
 * render it. {@link #replay()} records it to run again, for example under a debugger.
 *
 * <p>Two counter-examples are equal if they describe the same execution. The exception thrown, and the effects of
 * repairs, do not count.
 *
 * @param program the name of the program
 * @param model the memory model of the check
 * @param loopBound the bound on the iterations of loops with side effects
 * @param verdict the kind of error
 * @param message the error, in a sentence
 * @param threads the names of the threads that have steps
 * @param steps the steps of the threads, in an order in which every value is written before it is read. If the
 *     execution is {@linkplain Explanation#isOrdinary sequentially consistent}, this is an interleaving that produces
 *     it
 * @param edges the relations between steps, other than program order
 * @param writeOrders the coherence order of each variable that is written more than once
 * @param explanation the reasons and repairs
 * @param replay the recording, for {@link AwaitModelChecker#replay(Program, String)}
 * @param cause the exception that the program threw, or null
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
     * @param operation the operation, such as {@code read.acquire x = 1}
     * @param sources of a step that reads: the numbers of the steps that it reads from (rf), initial values left out
     * @param place the file and line in the source, or null if unknown
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
         * @param operation the operation, such as {@code read.acquire x = 1}
         * @param sources of a step that reads: the numbers of the steps that it reads from (rf), initial values left
         *     out
         * @param place the file and line in the source, or null if unknown
         * @param guilty whether the message is about this step
         */
        public Step {
            sources = List.copyOf(sources);
        }
    }

    /** The relations between steps. */
    public enum Order {
        /** Program order: the order of the steps of one thread. */
        PROGRAM("po", "program order"),
        /** Reads-from: from a write to a read that takes its value. */
        READS_FROM("rf", "reads from"),
        /**
         * Coherence order: from a write to a later write of the same variable. Some papers call it modification order,
         * mo.
         */
        WRITES("co", "coherence order"),
        /** From-read: from a read to each write that is later in coherence order than the write it reads from. */
        FROM_READ("fr", "is overwritten by"),
        /** Synchronizes-with: from a release to an acquire that reads from it. */
        SYNCHRONIZES("sw", "synchronizes with"),
        /** From the start of a thread to its first step. */
        STARTS("start", "starts"),
        /** From the last step of a thread to the join that waits for its end. */
        ENDS("join", "ends before");

        private final String sign;
        private final String words;

        Order(String sign, String words) {
            this.sign = sign;
            this.words = words;
        }

        /** {@return its name in the literature, such as {@code rf}} */
        public String sign() {
            return sign;
        }

        /** {@return its meaning, in words between the two steps} */
        public String words() {
            return words;
        }
    }

    /**
     * An edge between two steps.
     *
     * @param order the relation
     * @param from the number of the first step
     * @param to the number of the second step
     */
    public record Edge(Order order, int from, int to) {}

    /**
     * The analysis of the execution.
     *
     * @param reasons why the execution is wrong, in sentences
     * @param cycle the shortest cycle that sequential consistency forbids; empty if there is none, or none was found in
     *     a very long execution
     * @param asked the models that were tried on this execution, the strongest first; {@code JLS} is not tried on a
     *     very long one
     * @param models those models under which the same execution is wrong
     * @param repairs the smallest changes that were found to suffice
     * @param advice remarks on models and repairs, in sentences
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
         * @param reasons why the execution is wrong, in sentences
         * @param cycle the shortest cycle that sequential consistency forbids; empty if there is none, or none was
         *     found in a very long execution
         * @param asked the models that were tried on this execution, the strongest first; {@code JLS} is not tried on a
         *     very long one
         * @param models those models under which the same execution is wrong
         * @param repairs the smallest changes that were found to suffice
         * @param advice remarks on models and repairs, in sentences
         */
        public Explanation {
            reasons = List.copyOf(reasons);
            cycle = List.copyOf(cycle);
            asked = List.copyOf(asked);
            models = List.copyOf(models);
            repairs = List.copyOf(repairs);
            advice = List.copyOf(advice);
        }

        /** {@return whether the execution is sequentially consistent: an interleaving} */
        public boolean isOrdinary() {
            return models.contains(Model.SC);
        }
    }

    /**
     * A set of accesses and fences to strengthen together.
     *
     * @param changes the accesses and fences
     * @param effect the known effect
     */
    public record Repair(List<Change> changes, Effect effect) {

        /**
         * Copies the list.
         *
         * @param changes the accesses and fences
         * @param effect the known effect
         */
        public Repair {
            changes = List.copyOf(changes);
        }

        /**
         * {@return this repair with another known effect}
         *
         * @param known what a check with the repair has shown
         */
        public Repair with(Effect known) {
            return new Repair(changes, known);
        }
    }

    /** The known effect of a repair. */
    public enum Effect {
        /** It orders the two accesses of this race. Other executions were not checked. */
        ORDERS_THE_RACE("puts the two accesses of this race in order"),
        /** It keeps the compiler from hoisting the read out of the loop. */
        READS_ANEW("makes each iteration of the loop read again"),
        /** It forbids this execution. Other executions were not checked. */
        RULES_OUT("rules out this execution"),
        /** The whole check was run again with the repair, and found no error. */
        VERIFIED("repairs it: the whole check was run again with that, and found nothing wrong"),
        /** The check was run again with the repair, and found another error.  */
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
     * An access or a fence to strengthen.
     *
     * @param site the {@link AccessSite#key} of the access, or null if it has none
     * @param place where the access is, or the operation if it has no place
     * @param step the number of its step in this execution, or 0 if it has none
     * @param mode the stronger mode
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
     * @param model the memory model of the check
     * @param loopBound the bound on the iterations of loops with side effects
     * @param verdict the kind of error
     * @param message the error, in a sentence
     * @param threads the names of the threads that have steps
     * @param steps the steps of the threads, in an order in which every value is written before it is read. If the
     *     execution is {@linkplain Explanation#isOrdinary sequentially consistent}, this is an interleaving that
     *     produces it
     * @param edges the relations between steps, other than program order
     * @param writeOrders the coherence order of each variable that is written more than once
     * @param explanation the reasons and repairs
     * @param replay the recording, for {@link AwaitModelChecker#replay(Program, String)}
     * @param cause the exception that the program threw, or null
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
     * {@return the execution as text, with a column per thread} An exclamation mark marks the steps that the message is
     * about. A wide cell continues into the next column, which is empty in its row.
     */
    public String text() {
        return TextReport.of(this);
    }

    /** {@return the execution for Graphviz, with a box around each thread} */
    public String dot() {
        return DotReport.of(this);
    }

    /** {@return the execution as a self-contained SVG file} */
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
