package dev.cqs.amc.conformance;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a Java command in a JVM of its own, with the class path of this one, and exits with its exit code. Maven runs it
 * for {@code mvn -q -Pverify}: JVM flags need another process, and a failing plugin would add a stack trace to the
 * report of the checker.
 */
public final class OwnJvm {

    private OwnJvm() {}

    /** Runs {@code java -classpath <that of this class> <args>}. */
    public static void main(String[] args) throws IOException, InterruptedException, URISyntaxException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                classPath(OwnJvm.class.getClassLoader())));
        command.addAll(List.of(args));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            System.exit(code);
        }
    }

    private static String classPath(ClassLoader loader) throws URISyntaxException {
        if (!(loader instanceof URLClassLoader urls)) {
            return System.getProperty("java.class.path");
        }
        List<String> entries = new ArrayList<>();
        for (URL url : urls.getURLs()) {
            entries.add(Path.of(url.toURI()).toString());
        }
        return String.join(java.io.File.pathSeparator, entries);
    }
}
