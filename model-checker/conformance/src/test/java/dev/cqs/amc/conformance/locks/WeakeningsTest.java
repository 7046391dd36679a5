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
 * No access of a lock is weaker than it must be, as {@link SpinLocksVerifiedTest} shows, and none is stronger, or there is a reason: each
 * is made weaker by a step, alone, and the checker finds what comes of it.
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

    /** Three threads that enter once each, with a node that no other thread has known before. */
    static final class McsThreeOnce extends LockClient.ThreeOnce {
        McsThreeOnce() {
            super(new McsLock());
        }
    }

    static Stream<Weakening> weakeningsOfMcs() {
        return locks().filter(lock -> lock.name().equals("McsLock")).flatMap(lock -> lock.weakenings().stream());
    }

    /**
     * A node that is used again is known to others, and what its thread writes to it is in the graph in any case. So the clients
     * above do not tell whether what is written to a new node is, too.
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

    /** Of the lock itself, or of what is nested in it; what its constructor does is done before others know it. */
    private static boolean isOf(WeakenedLock lock, String key) {
        return key.startsWith(lock.name() + ".") && !key.contains(".<init>:");
    }

    /** All classes of the module that have accesses of their own. */
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
