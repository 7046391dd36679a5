package dev.cqs.modelchecked.mutants;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cqs.CancellableQueueSynchronizer;
import dev.cqs.modelchecked.primitives.Defects;
import dev.cqs.modelchecked.queue.Mutants;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pieces that mutants replace occur in the sources, and the mutants compile. To check the mutants takes minutes. */
class MutantTest {

    @TempDir
    Path folder;

    static Stream<Mutant> mutants() {
        return Stream.concat(Mutants.ALL.stream(), Defects.ALL.stream().map(Defects.Defect::mutant));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void thePieceOccursInTheSourceOnceAndTheMutantCompiles(Mutant mutant) {
        assertDoesNotThrow(() -> mutant.compileInto(folder));
    }

    @Test
    void aPieceIsFoundAcrossLineBreaks() {
        Mutant mutant = new Mutant(
                "It is not a class any more.",
                CancellableQueueSynchronizer.class,
                "public abstract\n    class CancellableQueueSynchronizer<T>extends",
                "broken");
        assertTrue(mutant.sourceWithDefect().contains("\nbroken QueueHooks<T>"));
    }

    @Test
    void aPieceThatIsMissingOrOccursTwiceIsRefused() {
        assertThrows(IllegalStateException.class, () -> mutantOf("no such text").sourceWithDefect());
        assertThrows(IllegalStateException.class, () -> mutantOf("private").sourceWithDefect());
    }

    private static Mutant mutantOf(String sound) {
        return new Mutant("", CancellableQueueSynchronizer.class, sound, "");
    }
}
