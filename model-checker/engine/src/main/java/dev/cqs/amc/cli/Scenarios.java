package dev.cqs.amc.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds scenario classes by their names. */
final class Scenarios implements AutoCloseable {

    private final ClassLoader loader;
    private final @Nullable URLClassLoader own;

    /** Searches these folders and jars, or the checker's own class path if there are none. */
    Scenarios(List<Path> classPath) throws Problem {
        ClassLoader checker = Scenarios.class.getClassLoader();
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            Path entry = classPath.get(i);
            if (!Files.exists(entry)) {
                throw Problem.usage(Option.CLASS_PATH.word() + " names " + entry + ", which does not exist.");
            }
            try {
                urls[i] = entry.toUri().toURL();
            } catch (MalformedURLException thrown) {
                throw Problem.usage(
                        Option.CLASS_PATH.word() + " names " + entry + ", which is neither a folder nor a jar.");
            }
        }
        own = urls.length == 0 ? null : new URLClassLoader(urls, checker);
        loader = own == null ? checker : own;
    }

    /** Loads the class without initializing it. */
    Class<?> find(String name) throws Problem {
        String binary = name;
        while (true) {
            try {
                return Class.forName(binary, false, loader);
            } catch (ClassNotFoundException thrown) {
                int dot = binary.lastIndexOf('.');
                if (dot < 0) {
                    throw Problem.usage("There is no class " + name + " on the class path"
                            + (own == null ? "; " + Option.CLASS_PATH.word() + " says where else to look." : "."));
                }
                binary = binary.substring(0, dot) + "$" + binary.substring(dot + 1);
            } catch (LinkageError thrown) {
                throw new Problem(
                        Problem.Kind.INSTRUMENTATION, "The class " + name + " cannot be loaded: " + thrown, thrown);
            }
        }
    }

    @Override
    public void close() {
        try {
            if (own != null) {
                own.close();
            }
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }
}
