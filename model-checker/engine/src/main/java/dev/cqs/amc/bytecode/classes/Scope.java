package dev.cqs.amc.bytecode.classes;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The set of instrumented classes: those of some packages and their subpackages, and some classes by name, with their
 * nested classes. The unnamed package has no subpackages. The models of JDK classes are always instrumented. Other
 * classes of the checker are not, unless given by name.
 */
public final class Scope {

    public static final String MODELS = "dev.cqs.amc.jdk.";

    /** The other packages of the checker, without their subpackages, which have tests. */
    private static final Set<String> CHECKER = Set.of(
            "dev.cqs.amc",
            "dev.cqs.amc.check",
            "dev.cqs.amc.cli",
            "dev.cqs.amc.diagnosis",
            "dev.cqs.amc.dpor",
            "dev.cqs.amc.graph",
            "dev.cqs.amc.liveness",
            "dev.cqs.amc.models",
            "dev.cqs.amc.program",
            "dev.cqs.amc.replay",
            "dev.cqs.amc.report",
            "dev.cqs.amc.search",
            "dev.cqs.amc.threads",
            "dev.cqs.amc.bytecode.classes",
            "dev.cqs.amc.bytecode.heap",
            "dev.cqs.amc.bytecode.loops",
            "dev.cqs.amc.bytecode.rewrite",
            "dev.cqs.amc.bytecode.runtime",
            "dev.cqs.amc.bytecode.scenario");

    private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private final List<String> packages;
    private final Set<String> classes;
    private final boolean coversUnnamed;

    public Scope(Collection<String> packages, Collection<String> classes) {
        coversUnnamed = packages.contains("");
        this.packages = packages.stream()
                .filter(name -> !name.isEmpty())
                .map(name -> name.endsWith(".") ? name : name + ".")
                .toList();
        this.classes = Set.copyOf(classes);
    }

    /** Whether the class with this binary name is instrumented. */
    public boolean covers(String name) {
        if (name.startsWith(MODELS)) {
            return true;
        }
        if (isPlatform(name)) {
            return false;
        }
        if (isNamed(name) || coversUnnamed && packageOf(name).isEmpty()) {
            return true;
        }
        return !CHECKER.contains(packageOf(name)) && packages.stream().anyMatch(name::startsWith);
    }

    /** The same for a name such as {@code java/lang/Object}, or an array type, which is never instrumented. */
    public boolean coversInternal(String internalName) {
        return !internalName.startsWith("[") && covers(internalName.replace('/', '.'));
    }

    /** Whether the class comes with the JDK. */
    public static boolean isPlatform(String name) {
        return PLATFORM.stream().anyMatch(name::startsWith);
    }

    private boolean isNamed(String name) {
        if (classes.contains(name)) {
            return true;
        }
        for (int end = name.lastIndexOf('$'); end > 0; end = name.lastIndexOf('$', end - 1)) {
            if (classes.contains(name.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    private static String packageOf(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }
}
