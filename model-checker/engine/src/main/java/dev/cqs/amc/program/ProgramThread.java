package dev.cqs.amc.program;

import dev.cqs.amc.Mode;
import dev.cqs.amc.ModelThread;
import dev.cqs.amc.Program;
import dev.cqs.amc.Variable;
import dev.cqs.amc.graph.Update;
import dev.cqs.amc.threads.ThreadRun;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** What the code of a program calls: checks its arguments, and passes on the numbers of the variables. */
record ProgramThread(Program program, ThreadRun run) implements ModelThread {

    @Override
    public long load(Variable variable, Mode mode) {
        if (mode == Mode.RELEASE || mode == Mode.ACQUIRE_RELEASE) {
            throw run.misuse("A read has the mode PLAIN, OPAQUE, ACQUIRE or VOLATILE, but not " + mode + ".");
        }
        return run.load(location(variable), mode, 0);
    }

    @Override
    public void store(Variable variable, long value, Mode mode) {
        if (mode == Mode.ACQUIRE || mode == Mode.ACQUIRE_RELEASE) {
            throw run.misuse("A write has the mode PLAIN, OPAQUE, RELEASE or VOLATILE, but not " + mode + ".");
        }
        run.store(location(variable), value, mode, 0);
    }

    @Override
    public boolean compareAndSet(Variable variable, long expected, long value, Mode mode) {
        return update(variable, Update.COMPARE_AND_SET, expected, value, mode) == expected;
    }

    @Override
    public long compareAndExchange(Variable variable, long expected, long value, Mode mode) {
        return update(variable, Update.COMPARE_AND_SET, expected, value, mode);
    }

    @Override
    public long getAndSet(Variable variable, long value, Mode mode) {
        return update(variable, Update.SET, 0, value, mode);
    }

    @Override
    public long getAndAdd(Variable variable, long delta, Mode mode) {
        return update(variable, Update.ADD, 0, delta, mode);
    }

    private long update(Variable variable, Update update, long expected, long operand, Mode mode) {
        if (mode == Mode.PLAIN) {
            throw run.misuse("A read-modify-write is atomic, so it is at least OPAQUE, not PLAIN.");
        }
        return run.update(location(variable), update, expected, operand, mode, 0);
    }

    @Override
    public void fence(Mode mode) {
        if (mode == Mode.PLAIN || mode == Mode.OPAQUE) {
            throw run.misuse(
                    "A fence has the mode ACQUIRE, RELEASE, ACQUIRE_RELEASE or VOLATILE, but not " + mode + ".");
        }
        run.fence(mode, 0);
    }

    @Override
    public void await(BooleanSupplier iteration) {
        run.waiting().await(iteration);
    }

    @Override
    public long await(Variable variable, Mode mode, LongPredicate wanted) {
        long[] seen = new long[1];
        run.waiting().await(() -> {
            seen[0] = load(variable, mode);
            return wanted.test(seen[0]);
        });
        return seen[0];
    }

    @Override
    public int choose(int options) {
        if (options < 1) {
            throw run.misuse("There must be something to choose from, but there are " + options + " options.");
        }
        return run.choose(options, 0);
    }

    @Override
    public void assume(boolean condition) {
        run.assume(condition);
    }

    @Override
    public void check(boolean condition, String message) {
        run.check(condition, message);
    }

    @Override
    public void observe(long value) {
        run.observe(value);
    }

    private int location(Variable variable) {
        try {
            return program.indexOf(variable);
        } catch (IllegalArgumentException thrown) {
            throw run.misuse(thrown);
        }
    }
}
