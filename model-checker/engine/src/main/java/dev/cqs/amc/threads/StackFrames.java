package dev.cqs.amc.threads;

import java.util.List;
import java.util.Set;

/** Separates the stack frames of the checked code from those of the checker. */
public final class StackFrames {

    /**
     * The classes through which checked code calls the checker. Other classes in their packages may be checked code, as
     * tests are.
     */
    private static final Set<String> DOORS = Set.of(
            "dev.cqs.amc.threads.StackFrames",
            "dev.cqs.amc.search.Explorer",
            "dev.cqs.amc.search.Threads",
            "dev.cqs.amc.threads.ThreadRun",
            "dev.cqs.amc.liveness.Waiting",
            "dev.cqs.amc.threads.ThreadLifecycle",
            "dev.cqs.amc.program.ProgramThread",
            "dev.cqs.amc.program.ProgramSubject",
            "dev.cqs.amc.ModelThread",
            "dev.cqs.amc.Execution",
            "dev.cqs.amc.bytecode.runtime.Hooks",
            "dev.cqs.amc.bytecode.runtime.LoopHooks",
            "dev.cqs.amc.bytecode.runtime.MemoryHooks",
            "dev.cqs.amc.bytecode.runtime.ThreadHooks",
            "dev.cqs.amc.bytecode.runtime.CodeRun",
            "dev.cqs.amc.bytecode.runtime.Monitors",
            "dev.cqs.amc.bytecode.runtime.Iterations",
            "dev.cqs.amc.bytecode.runtime.ThreadClock",
            "dev.cqs.amc.bytecode.runtime.ArrayCopies",
            "dev.cqs.amc.bytecode.runtime.ArrayOperations",
            "dev.cqs.amc.bytecode.runtime.FieldCopies",
            "dev.cqs.amc.bytecode.runtime.FirstValues",
            "dev.cqs.amc.threads.UnescapedObjects",
            "dev.cqs.amc.bytecode.runtime.Publication",
            "dev.cqs.amc.bytecode.scenario.ScenarioSubject");

    private static final List<String> MACHINERY = List.of("dev.cqs.amc.jdk.", "java.", "jdk.");

    private StackFrames() {}

    /** The file and line of the innermost frame of checked code; null if there is none. */
    public static String place() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                        .takeWhile(frame -> !isRun(frame))
                        .filter(frame -> !isOurs(frame))
                        .findFirst()
                        .map(StackFrames::place)
                        .orElse(null));
    }

    /** Whether all outer frames belong to the checker. */
    public static boolean isOutermost(StackTraceElement frame) {
        return isRun(frame) || frame.getClassName().equals("dev.cqs.amc.search.Explorer");
    }

    private static boolean isRun(StackTraceElement frame) {
        return frame.getClassName().equals("dev.cqs.amc.threads.ThreadRun")
                && frame.getMethodName().equals("run");
    }

    /**
     * Whether it is a frame of the checker, or of a method that instrumentation added to a checked class, which has no
     * line numbers.
     */
    public static boolean isOurs(StackTraceElement frame) {
        if (frame.getFileName() != null && frame.getLineNumber() <= 0) {
            return true;
        }
        String name = frame.getClassName();
        int nested = name.indexOf('$', name.lastIndexOf('.'));
        return DOORS.contains(nested < 0 ? name : name.substring(0, nested))
                || MACHINERY.stream().anyMatch(name::startsWith);
    }

    public static String place(StackTraceElement frame) {
        return frame.getFileName() == null ? frame.getClassName() : frame.getFileName() + ":" + frame.getLineNumber();
    }
}
