package dev.cqs.amc.program;

import dev.cqs.amc.FinalState;
import dev.cqs.amc.Program;
import dev.cqs.amc.Variable;
import dev.cqs.amc.threads.RunnableSubject;
import dev.cqs.amc.threads.ThreadRun;

/** A program that is written against {@link dev.cqs.amc.ModelThread}. */
public final class ProgramSubject implements RunnableSubject {

    private final Program program;
    private final int[] observed;

    public ProgramSubject(Program program) {
        this.program = program;
        observed = program.observed().stream().mapToInt(Variable::index).toArray();
    }

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public int threads() {
        return program.bodies().size();
    }

    @Override
    public String threadName(int thread) {
        return program.threadNames().get(thread);
    }

    @Override
    public String locationName(int location) {
        return program.variables().get(location).name();
    }

    @Override
    public long initial(int location) {
        return program.variables().get(location).initial();
    }

    @Override
    public void run(ThreadRun thread) {
        program.bodies().get(thread.id()).accept(new ProgramThread(program, thread));
    }

    @Override
    public int[] observed() {
        return observed;
    }

    @Override
    public void checkEnd(FinalState end) {
        program.atEnd().accept(new FinalState() {

            @Override
            public long get(Variable variable) {
                program.indexOf(variable);
                return end.get(variable);
            }

            @Override
            public void check(boolean condition, String message) {
                end.check(condition, message);
            }
        });
    }
}
