package dev.cqs.modelchecked.primitives;

import static org.junit.jupiter.api.Assertions.fail;

import dev.cqs.modelchecked.mutants.MutantLoader;
import dev.cqs.modelchecked.primitives.Defects.Defect;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each defect of a primitive is found by a case that the sound primitive passes. */
class DefectsTest {

    @TempDir
    Path folder;

    static List<Defect> defects() {
        return Defects.ALL;
    }

    /** A defect that shows in a single thread is found by the rehearsal in the class's initializer, which throws. */
    private static boolean isFoundBy(Case each, Class<?> scenario) {
        try {
            return each.fails(each.checker().check(scenario).verdict());
        } catch (IllegalArgumentException e) {
            if (String.valueOf(e.getMessage()).startsWith("A static initializer throws ")) {
                return true;
            }
            throw e;
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void isFound(Defect defect) throws ClassNotFoundException {
        defect.mutant().compileInto(folder);
        for (Case each : defect.cases()) {
            Class<?> scenario = new MutantLoader(getClass().getClassLoader(), folder)
                    .loadClass(each.scenario().getName());
            if (isFoundBy(each, scenario)) {
                return;
            }
        }
        fail("All " + defect.cases().size() + " cases pass.");
    }
}
