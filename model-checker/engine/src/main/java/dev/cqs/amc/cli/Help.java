package dev.cqs.amc.cli;

import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The help and the version of the command. */
final class Help {

    private static final int OPTION_WIDTH = 26;
    private static final int CODE_WIDTH = 4;

    private Help() {}

    static String text() {
        List<String> lines = new ArrayList<>(List.of(
                "usage: verify [options] <class>...",
                "",
                "Runs a class with @Actor methods in every execution that a memory model allows. The result is that no execution",
                "is wrong, or a counter-example. A nested class is named Outer.Nested or Outer$Nested.",
                ""));
        for (Option option : Option.values()) {
            String words = option.argument() == null ? option.word() : option.word() + " " + option.argument();
            lines.add("  " + padded(words, OPTION_WIDTH) + option.help()
                    + (option.isRepeatable() ? "; may be repeated" : ""));
        }
        lines.add("");
        lines.add("Exit codes:");
        lines.add("");
        Arrays.stream(ExitCode.values())
                .sorted(Comparator.comparingInt(ExitCode::code))
                .forEach(code -> lines.add("  " + padded(String.valueOf(code.code()), CODE_WIDTH) + code.meaning()));
        List<String> weights = Arrays.stream(ExitCode.values())
                .map(code -> String.valueOf(code.code()))
                .toList();
        lines.add("");
        lines.add("Of several checks, the code that comes first in this list decides: " + String.join(", ", weights)
                + ".");
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    static String version() {
        Class<?> command = Verify.class;
        ModuleDescriptor module = command.getModule().getDescriptor();
        String version = module == null
                ? command.getPackage().getImplementationVersion()
                : module.rawVersion().orElse(null);
        return "cqs-model-checker " + (version == null ? "of an unknown version, not run from its jar" : version)
                + ", Java " + System.getProperty("java.version");
    }

    static String padded(String words, int width) {
        return words + " ".repeat(Math.max(1, width - words.length()));
    }
}
