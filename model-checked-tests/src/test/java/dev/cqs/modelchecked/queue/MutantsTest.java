package dev.cqs.modelchecked.queue;

import static org.junit.jupiter.api.Assertions.fail;

import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.modelchecked.mutants.Mutant;
import dev.cqs.modelchecked.mutants.MutantLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each defect of the queue is found by a scenario that the sound queue passes. */
class MutantsTest {

    @TempDir
    Path folder;

    static List<Mutant> mutants() {
        return Mutants.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void isFound(Mutant mutant) throws ClassNotFoundException {
        mutant.compileInto(folder);
        List<Class<?>> scenarios = Stream.of(QueueScenarios.OF_TWO, QueueScenarios.OF_THREE)
                .flatMap(List::stream)
                .toList();
        for (Class<?> each : scenarios) {
            Class<?> scenario = new MutantLoader(getClass().getClassLoader(), folder).loadClass(each.getName());
            Result result = RealQueueTest.checker(Model.RC11).check(scenario);
            if (result.verdict().isError()) {
                return;
            }
        }
        fail("All " + scenarios.size() + " scenarios pass.");
    }
}
