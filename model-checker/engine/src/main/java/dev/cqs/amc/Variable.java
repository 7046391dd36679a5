package dev.cqs.amc;

/** A shared variable of a {@link Program}. This object holds no value: values belong to executions. */
public final class Variable {

    private final Program owner;
    private final int index;
    private final String name;
    private final long initial;

    Variable(Program owner, int index, String name, long initial) {
        this.owner = owner;
        this.index = index;
        this.name = name;
        this.initial = initial;
    }

    /** {@return what the reports call it} */
    public String name() {
        return name;
    }

    /** {@return its value before the threads start} */
    public long initial() {
        return initial;
    }

    /** {@return its index among the variables of its program, from 0 on} */
    public int index() {
        return index;
    }

    /** Whether it belongs to {@code program}. */
    boolean isOf(Program program) {
        return owner == program;
    }

    @Override
    public String toString() {
        return name;
    }
}
