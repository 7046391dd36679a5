package dev.cqs.amc;

import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** Changes the modes of non-plain accesses by site: by operation, variable and mode. */
public interface OtherModes {

    /** No change. */
    OtherModes SAME = (site, mode) -> mode;

    /** The strongest mode everywhere. */
    OtherModes VOLATILE = (site, mode) -> Mode.VOLATILE;

    /** The mode at {@code site} instead of {@code mode}. */
    Mode change(String site, Mode mode);

    /** Wraps the thread with other modes. */
    default ModelThread of(ModelThread t) {
        return this == SAME ? t : new Changing(t, this);
    }

    /** Forwards all operations, with other modes. */
    record Changing(ModelThread t, OtherModes modes) implements ModelThread {

        private Mode changed(String what, Variable variable, Mode mode) {
            return mode == Mode.PLAIN
                    ? mode
                    : modes.change(what + " " + variable.name().replaceAll("\\[.*", "") + " " + mode, mode);
        }

        @Override
        public long load(Variable variable, Mode mode) {
            return t.load(variable, changed("load", variable, mode));
        }

        @Override
        public void store(Variable variable, long value, Mode mode) {
            t.store(variable, value, changed("store", variable, mode));
        }

        @Override
        public boolean compareAndSet(Variable variable, long expected, long value, Mode mode) {
            return t.compareAndSet(variable, expected, value, changed("cas", variable, mode));
        }

        @Override
        public long compareAndExchange(Variable variable, long expected, long value, Mode mode) {
            return t.compareAndExchange(variable, expected, value, changed("cas", variable, mode));
        }

        @Override
        public long getAndSet(Variable variable, long value, Mode mode) {
            return t.getAndSet(variable, value, changed("swap", variable, mode));
        }

        @Override
        public long getAndAdd(Variable variable, long delta, Mode mode) {
            return t.getAndAdd(variable, delta, changed("add", variable, mode));
        }

        @Override
        public void fence(Mode mode) {
            t.fence(mode);
        }

        @Override
        public void await(BooleanSupplier iteration) {
            t.await(iteration);
        }

        @Override
        public long await(Variable variable, Mode mode, LongPredicate wanted) {
            return t.await(variable, changed("await", variable, mode), wanted);
        }

        @Override
        public int choose(int options) {
            return t.choose(options);
        }

        @Override
        public void assume(boolean condition) {
            t.assume(condition);
        }

        @Override
        public void check(boolean condition, String message) {
            t.check(condition, message);
        }

        @Override
        public void observe(long value) {
            t.observe(value);
        }
    }
}
