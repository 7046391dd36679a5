package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The binary interface of each published module is the one in its folder {@code api}: the public and protected declarations in
 * the exported packages, to which compiled code of users refers. Annotations and type arguments do not count.
 *
 * <p>For an intended change, the system property {@code dev.cqs.api.write} rewrites that file, and the diff is reviewed.
 * CONTRIBUTING.md has the command.
 */
class BinaryInterfaceTest {

    private static final Path ROOT = BuildAgreementTest.root();
    private static final MavenBuild MAVEN = new MavenBuild(ROOT);

    @TempDir
    Path scratch;

    static Set<String> libraries() {
        return MAVEN.folders().stream().filter(MAVEN::isLibrary).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void theBinaryInterfaceIsAsWrittenDown(String folder) throws IOException {
        String name = MAVEN.artifact(folder) + ".api";
        Path written = ROOT.resolve(folder).resolve("api").resolve(name);
        Path actual = Files.writeString(scratch.resolve(name), module(folder).binaryInterface(scratch));
        if (System.getProperty("dev.cqs.api.write") != null) {
            Files.createDirectories(written.getParent());
            Files.copy(actual, written, StandardCopyOption.REPLACE_EXISTING);
        }
        assertTrue(Files.exists(written), () -> written + " is missing; CONTRIBUTING.md says how it is written");
        String difference = PublishedModule.TOOLS.filesDiff(written.toFile(), actual.toFile());
        if (difference != null) {
            fail("The binary interface is not as written down. If that is meant, rewrite the file as CONTRIBUTING.md"
                    + " says; if it is not your doing, there may be old classes: build with clean.\n" + difference);
        }
    }

    /** Kotlin's internal declarations are public for the JVM, but do not belong to the interface. */
    @ParameterizedTest
    @ValueSource(strings = {"CoroutineWaiter", "CoroutineWaiterKt", "TimedKt"})
    void internalDeclarationsOfKotlinAreNotInIt(String name) throws Exception {
        Class<?> type = Class.forName("dev.cqs.coroutines." + name);
        assertTrue(Modifier.isPublic(type.getModifiers()), () -> type + " is not public, so it tells nothing here");
        String all = PublishedModule.named("dev.cqs.coroutines").binaryInterface(scratch);
        assertFalse(all.contains(name), () -> type + " is in the dump");
    }

    /** Users do not see the declaring class, and call the method on the inheriting class. */
    @ParameterizedTest
    @CsvSource({"dev.cqs, sync.Mutex, fun unlock ()V", "dev.cqs.threads, ReentrantLock, java.util.concurrent.locks.Lock"
    })
    void whatIsInheritedFromHiddenClassesIsInIt(String module, String name, String inherited) throws Exception {
        String type = "";
        for (String block :
                PublishedModule.named(module).binaryInterface(scratch).split("\n}\n")) {
            type = block.contains("class " + (module + "." + name).replace('.', '/') + " ") ? block : type;
        }
        String all = type;
        assertTrue(all.contains(inherited.replace('.', '/')), () -> inherited + " is not in\n" + all);
    }

    private static PublishedModule module(String folder) throws IOException {
        return PublishedModule.named(MAVEN.moduleName(folder));
    }
}
