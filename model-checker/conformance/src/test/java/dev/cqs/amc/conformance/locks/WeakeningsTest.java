package dev.cqs.amc.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cqs.amc.AwaitModelChecker;
import dev.cqs.amc.Model;
import dev.cqs.amc.Result;
import dev.cqs.amc.Verdict;
import dev.cqs.locks.McsLock;
import dev.cqs.locks.SpinLock;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No access of a lock is stronger than necessary, except for a stated reason: weakening any single access by one step
 * makes the checker find an error. That no access is too weak is shown by {@link SpinLocksVerifiedTest}.
 */
class WeakeningsTest {

    static Stream<WeakenedLock> locks() {
        return WeakenedLock.ALL.stream();
    }

    static Stream<Arguments> weakenings() {
        return locks().flatMap(
                        lock -> lock.weakenings().stream().map(weakening -> Arguments.of(weakening, lock.clients())));
    }

    private static AwaitModelChecker checker() {
        return AwaitModelChecker.under(Model.RC11).instrument("dev.cqs.locks");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("weakenings")
    void weakeningIsFoundUnlessItIsHarmless(Weakening weakening, List<Class<?>> clients) {
        Result last = null;
        for (Class<?> client : clients) {
            last = checker().withMode(weakening.site(), weakening.mode()).check(client);
            if (last.verdict() != Verdict.VERIFIED) {
                break;
            }
        }
        Result shown = last;
        String reason = weakening.reason() == null ? "" : weakening.reason() + "\n";
        assertEquals(weakening.verdict(), shown.verdict(), () -> reason + shown);
    }

    /** Three threads that lock once each, with nodes that have not escaped before. */
    static final class McsThreeOnce extends LockClient.ThreeOnce {
        McsThreeOnce() {
            super(new McsLock());
        }
    }

    static Stream<Weakening> weakeningsOfMcs() {
        return locks().filter(lock -> lock.name().equals("McsLock")).flatMap(lock -> lock.weakenings().stream());
    }

    /**
     * A reused node has escaped, so all writes to it are in the graph. So the clients above do not show that weak
     * publication of a new node is found too.
     */
    @ParameterizedTest(name = "{0}")
    @MethodSource("weakeningsOfMcs")
    void weakeningIsFoundWithNewNodes(Weakening weakening) {
        Result shown = checker().withMode(weakening.site(), weakening.mode()).check(McsThreeOnce.class);
        assertEquals(weakening.verdict(), shown.verdict(), shown::toString);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("locks")
    void everyWeakeningIsLookedAt(WeakenedLock lock) {
        Set<String> all = new TreeSet<>();
        checker().check(lock.clients().get(0)).sites().stream()
                .filter(site -> isOf(lock, site.key()))
                .forEach(site -> Weakening.steps(site).forEach(mode -> all.add(site.key() + " " + mode)));
        assertEquals(
                all,
                lock.weakenings().stream().map(Weakening::toString).collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * Whether the access is in the lock or in its nested classes, and not in a constructor, which runs before the lock
     * escapes.
     */
    private static boolean isOf(WeakenedLock lock, String key) {
        return key.startsWith(lock.name() + ".") && !key.contains(".<init>:");
    }

    /** The names of all classes of the module that have accesses. */
    @Test
    void everyLockIsLookedAt() throws IOException, URISyntaxException {
        Set<String> all = classesOfTheModule();
        all.removeAll(Set.of("SpinLock", "Fields", "package-info"));
        assertEquals(all, locks().map(WeakenedLock::name).collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Set<String> classesOfTheModule() throws IOException, URISyntaxException {
        URI one = SpinLock.class.getResource("SpinLock.class").toURI();
        if (one.getScheme().equals("file")) {
            return classesIn(Path.of(one).getParent());
        }
        try (FileSystem archive = FileSystems.newFileSystem(one, Map.of())) {
            return classesIn(archive.getPath("dev/cqs/locks"));
        }
    }

    private static Set<String> classesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
