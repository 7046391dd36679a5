package dev.cqs.amc.bytecode.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Of the checker itself only the models of JDK classes are instrumented, whatever packages a user names. */
class ScopeTest {

    @Test
    void onlyTheModelsAreInstrumentedOfTheChecker() throws URISyntaxException {
        Scope all = new Scope(List.of("dev.cqs"), List.of());
        Path checker = Path.of(
                Scope.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Set<String> covered =
                ModuleFinder.of(checker).find("dev.cqs.amc").orElseThrow().descriptor().packages().stream()
                        .filter(name -> all.covers(name + ".Any"))
                        .collect(Collectors.toSet());
        assertEquals(Set.of("dev.cqs.amc.jdk"), covered);
    }
}
