package dev.cqs.amc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A small concurrent program for the checker: shared variables, threads, and a check of the final state.
 *
 * <pre>{@code
 * Program messagePassing = Program.define("message passing", p -> {
 *     Variable data = p.variable("data");
 *     Variable ready = p.variable("ready");
 *     p.thread("writer", t -> {
 *         t.set(data, 42);
 *         t.setRelease(ready, 1);
 *     });
 *     p.thread("reader", t -> {
 *         t.await(ready, Mode.ACQUIRE, seen -> seen == 1);
 *         t.check(t.get(data) == 42, "the reader sees the data");
 *     });
 * });
 * }</pre>
 *
 * <p>The checker runs the code of a thread many times, and the code must be deterministic: after it has read the same
 * values, it does the same. A thread keeps its state in local variables, and shares only {@link Variable}s.
 */
public final class Program {

    private final String name;
    private final List<Variable> variables = new ArrayList<>();
    private final List<String> threadNames = new ArrayList<>();
    private final List<Consumer<ModelThread>> bodies = new ArrayList<>();
    private final List<Variable> observed = new ArrayList<>();
    private Consumer<FinalState> atEnd = end -> {};
    private boolean defined;

    private Program(String name) {
        this.name = name;
    }

    /**
     * Defines a program.
     *
     * @param name what the reports call it
     * @param definition declares the variables and threads
     * @return the program, to be checked as often as is wanted
     * @throws IllegalArgumentException if it has no thread
     */
    public static Program define(String name, Consumer<Program> definition) {
        Program program = new Program(Objects.requireNonNull(name, "name"));
        definition.accept(program);
        if (program.bodies.isEmpty()) {
            throw new IllegalArgumentException(
                    "The program \"" + name + "\" has no thread, so there is nothing to check.");
        }
        program.defined = true;
        return program;
    }

    /**
     * Declares a variable that is 0 before the threads start.
     *
     * @param name for the reports
     * @return the variable, for the threads of this program
     */
    public Variable variable(String name) {
        return variable(name, 0);
    }

    /**
     * Declares a variable.
     *
     * @param name for the reports
     * @param initial its value before the threads start
     * @return the variable, for the threads of this program
     */
    public Variable variable(String name, long initial) {
        checkOpen();
        Variable variable = new Variable(this, variables.size(), Objects.requireNonNull(name, "name"), initial);
        variables.add(variable);
        return variable;
    }

    /**
     * Declares {@code length} variables {@code name[0]}, {@code name[1]} and so on, all 0 at first.
     *
     * @param name for the reports, without the index
     * @param length how many variables
     * @return the variables, by their index
     */
    public Variable[] array(String name, int length) {
        Variable[] array = new Variable[length];
        for (int i = 0; i < length; i++) {
            array[i] = variable(name + "[" + i + "]");
        }
        return array;
    }

    /**
     * Declares a thread that the reports call T0, T1 and so on.
     *
     * @param body run from the beginning again and again; depends on nothing but what it reads
     * @return this program
     */
    public Program thread(Consumer<ModelThread> body) {
        return thread("T" + bodies.size(), body);
    }

    /**
     * Declares a thread.
     *
     * @param name for the reports
     * @param body run from the beginning again and again; depends on nothing but what it reads
     * @return this program
     */
    public Program thread(String name, Consumer<ModelThread> body) {
        checkOpen();
        threadNames.add(Objects.requireNonNull(name, "name"));
        bodies.add(Objects.requireNonNull(body, "body"));
        return this;
    }

    /**
     * Makes the final values of these variables part of the outcome, after the values that the threads observe.
     *
     * @param variables of this program
     * @return this program
     */
    public Program observe(Variable... variables) {
        checkOpen();
        for (Variable variable : variables) {
            checkMine(variable);
            observed.add(variable);
        }
        return this;
    }

    /**
     * Declares a check of the final state, after all threads have ended.
     *
     * @param check called once in each complete execution
     * @return this program
     */
    public Program atEnd(Consumer<FinalState> check) {
        checkOpen();
        atEnd = Objects.requireNonNull(check, "check");
        return this;
    }

    /** {@return what the reports call it} */
    public String name() {
        return name;
    }

    /** {@return the variables, in the order of their declaration} */
    public List<Variable> variables() {
        return Collections.unmodifiableList(variables);
    }

    /** {@return the names of the threads, in the order of their declaration} */
    public List<String> threadNames() {
        return Collections.unmodifiableList(threadNames);
    }

    /** {@return the code of the threads, in the order of their declaration} */
    public List<Consumer<ModelThread>> bodies() {
        return Collections.unmodifiableList(bodies);
    }

    /** {@return the variables whose final values are part of the outcome} */
    public List<Variable> observed() {
        return Collections.unmodifiableList(observed);
    }

    /** {@return the check of the final state} */
    public Consumer<FinalState> atEnd() {
        return atEnd;
    }

    /**
     * {@return the index of a variable of this program}
     *
     * @param variable of this program
     * @throws IllegalArgumentException if the variable belongs to another program
     */
    public int indexOf(Variable variable) {
        checkMine(variable);
        return variable.index();
    }

    private void checkMine(Variable variable) {
        if (!variable.isOf(this)) {
            throw new IllegalArgumentException(
                    "The variable " + variable + " belongs to another program than \"" + name + "\".");
        }
    }

    private void checkOpen() {
        if (defined) {
            throw new IllegalStateException(
                    "The program \"" + name + "\" is complete; declare everything in its definition.");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
