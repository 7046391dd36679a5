package dev.cqs.amc.search;

import dev.cqs.amc.FinalState;
import dev.cqs.amc.Program;
import dev.cqs.amc.program.ProgramSubject;
import dev.cqs.amc.threads.RunnableSubject;
import dev.cqs.amc.threads.ThreadRun;

/** A program as a subject, for tests that override parts of it. */
abstract class Wrapped implements RunnableSubject {

    private final ProgramSubject program;

    Wrapped(Program program) {
        this.program = new ProgramSubject(program);
    }

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public int threads() {
        return program.threads();
    }

    @Override
    public String threadName(int thread) {
        return program.threadName(thread);
    }

    @Override
    public String locationName(int location) {
        return program.locationName(location);
    }

    @Override
    public long initial(int location) {
        return program.initial(location);
    }

    @Override
    public void run(ThreadRun thread) {
        program.run(thread);
    }

    @Override
    public int[] observed() {
        return program.observed();
    }

    @Override
    public void checkEnd(FinalState end) {
        program.checkEnd(end);
    }
}
