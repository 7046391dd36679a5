package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.Mode;
import dev.cqs.amc.replay.RecordedOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings for the instrumentation of a scenario class.
 *
 * @param packages further packages to instrument
 * @param modes by the key of a site, the mode that replaces the one in the code
 * @param racyFields the fields on which races are allowed, as {@code package.Class.field}
 */
public record Settings(List<String> packages, Map<String, Mode> modes, Set<String> racyFields) {

    /** No settings beyond the annotations of the classes. */
    public static final Settings NONE = new Settings(List.of(), Map.of(), Set.of());

    /** Copies the collections. */
    public Settings {
        packages = List.copyOf(packages);
        modes = Map.copyOf(modes);
        racyFields = Set.copyOf(racyFields);
    }

    /** The settings of a check that has recorded an execution. */
    public static Settings of(RecordedOptions recorded) {
        Settings settings = new Settings(
                recorded.all(RecordedOptions.INSTRUMENT),
                Map.of(),
                Set.copyOf(recorded.all(RecordedOptions.ALLOW_RACES)));
        for (String change : recorded.all(RecordedOptions.MODE)) {
            int equals = change.lastIndexOf('=');
            settings = settings.withMode(change.substring(0, equals), Mode.valueOf(change.substring(equals + 1)));
        }
        return settings;
    }

    /** These settings, for a recording. */
    public Map<String, List<String>> recorded() {
        List<String> changes = modes.entrySet().stream()
                .map(change -> change.getKey() + "=" + change.getValue())
                .sorted()
                .toList();
        return new TreeMap<>(Map.of(
                RecordedOptions.INSTRUMENT,
                packages,
                RecordedOptions.MODE,
                changes,
                RecordedOptions.ALLOW_RACES,
                racyFields.stream().sorted().toList()));
    }

    /** These settings with more packages. */
    public Settings withPackages(Collection<String> more) {
        List<String> all = new ArrayList<>(packages);
        all.addAll(more);
        return new Settings(all, modes, racyFields);
    }

    /** These settings with a mode for a site. */
    public Settings withMode(String site, Mode mode) {
        Map<String, Mode> all = new HashMap<>(modes);
        all.put(site, mode);
        return new Settings(packages, all, racyFields);
    }

    /** These settings with more racy fields. */
    public Settings withRacyFields(Collection<String> more) {
        Set<String> all = new HashSet<>(racyFields);
        all.addAll(more);
        return new Settings(packages, modes, all);
    }
}
