package dev.cqs.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the pages and the sources of the project. */
final class Documentation {
    /** The folder of the project. A build starts the tests there or in the folder of the module. */
    static final Path ROOT = root();

    private Documentation() {}

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/guide.md"))) {
            here = here.getParent();
        }
        return here;
    }

    /** All pages: those in the folder of the README, and those in docs. */
    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    /** The sources in Java and Kotlin in these folders and below. */
    static List<Path> sources(String... folders) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().matches(".*\\.(java|kt)")).forEach(sources::add);
            }
        }
        return sources;
    }
}
