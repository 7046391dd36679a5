package dev.cqs.modelchecked.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A class loader that prefers the class files of one folder, which has a mutant. It also defines the scenarios, so that they
 * use the mutant.
 */
public final class MutantLoader extends ClassLoader {

    private static final String SCENARIOS = "dev.cqs.modelchecked.";

    private final Path folder;

    /** Creates a loader that prefers the class files in {@code folder}. */
    public MutantLoader(ClassLoader parent, Path folder) {
        super(parent);
        this.folder = folder;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(SCENARIOS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] code = file.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        Path file = folder.resolve(name);
        try {
            return Files.isRegularFile(file) ? Files.newInputStream(file) : super.getResourceAsStream(name);
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }
}
