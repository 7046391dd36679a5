package dev.cqs.amc.engine;

import java.util.List;
import java.util.Set;

/** Tells the frames of the code that is checked from those of the checker. */
final class Frames {

    /** By which the code that is checked gets to the checker. Others in their packages may be checked, as tests are. */
    private static final Set<String> DOORS = Set.of("dev.cqs.amc.engine.Frames", "dev.cqs.amc.engine.Explorer",
            "dev.cqs.amc.engine.Threads", "dev.cqs.amc.engine.ThreadRun", "dev.cqs.amc.engine.Waiting", "dev.cqs.amc.engine.Others",
            "dev.cqs.amc.engine.ProgramThread", "dev.cqs.amc.engine.ProgramSubject", "dev.cqs.amc.ModelThread",
            "dev.cqs.amc.Execution", "dev.cqs.amc.bytecode.Hooks", "dev.cqs.amc.bytecode.LoopHooks",
            "dev.cqs.amc.bytecode.MemoryHooks", "dev.cqs.amc.bytecode.ThreadHooks",
            "dev.cqs.amc.bytecode.CodeRun", "dev.cqs.amc.bytecode.Monitors", "dev.cqs.amc.bytecode.Rounds",
            "dev.cqs.amc.bytecode.ArrayCopies", "dev.cqs.amc.bytecode.ArrayOperations", "dev.cqs.amc.bytecode.FieldCopies",
            "dev.cqs.amc.bytecode.FirstValues", "dev.cqs.amc.engine.Unshared", "dev.cqs.amc.bytecode.Publication",
            "dev.cqs.amc.bytecode.ScenarioSubject");
    private static final List<String> MACHINERY = List.of("dev.cqs.amc.model.", "java.", "jdk.");

    private Frames() {
    }

    /** The file and line of the code that is checked, of all that has been called most recently; null if it is the checker alone. */
    static String place() {
        return StackWalker.getInstance().walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                .takeWhile(frame -> !isRun(frame)).filter(frame -> !isOurs(frame)).findFirst().map(Frames::place).orElse(null));
    }

    /** Whether all that is further out is the checker. */
    static boolean isOutermost(StackTraceElement frame) {
        return isRun(frame) || frame.getClassName().equals("dev.cqs.amc.engine.Explorer");
    }

    private static boolean isRun(StackTraceElement frame) {
        return frame.getClassName().equals("dev.cqs.amc.engine.ThreadRun") && frame.getMethodName().equals("run");
    }

    /** Whether it is a frame of the checker, or one that instrumentation has added to a class that is checked: it has no line. */
    static boolean isOurs(StackTraceElement frame) {
        if (frame.getFileName() != null && frame.getLineNumber() <= 0) {
            return true;
        }
        String name = frame.getClassName();
        int nested = name.indexOf('$', name.lastIndexOf('.'));
        return DOORS.contains(nested < 0 ? name : name.substring(0, nested)) || MACHINERY.stream().anyMatch(name::startsWith);
    }

    static String place(StackTraceElement frame) {
        return frame.getFileName() == null ? frame.getClassName() : frame.getFileName() + ":" + frame.getLineNumber();
    }
}
