package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The fields and places of the instrumented classes of one scenario, by their numbers. */
public final class CodeTable {

    private final List<FieldInfo> fields = new ArrayList<>();
    private final List<Site> sites = new ArrayList<>();
    private final Settings settings;
    /** By key of a place, the mode that the user wants it to have. */
    private final Map<String, Mode> wanted;

    private final Set<String> unknownSites;
    private final Set<String> racyFields;
    private final Set<String> unknownFields;
    /** Per place: the mode that the user wants it to have, or null. */
    private final List<Mode> modes = new ArrayList<>();

    public CodeTable() {
        this(Settings.NONE);
    }

    public CodeTable(Settings settings) {
        this.settings = settings;
        wanted = settings.modes();
        unknownSites = new TreeSet<>(wanted.keySet());
        racyFields = settings.racyFields();
        unknownFields = new TreeSet<>(racyFields);
        add(new Site(0, "", "", null, false, false));
    }

    /** How the user has the scenario be instrumented. */
    public Settings settings() {
        return settings;
    }

    public int nextField() {
        return fields.size();
    }

    public void add(FieldInfo field) {
        fields.add(field);
    }

    /** Whether the user lets this field race. */
    public boolean isRacy(String owner, String name) {
        String field = owner + "." + name;
        unknownFields.remove(field);
        return racyFields.contains(field);
    }

    public FieldInfo field(int id) {
        return fields.get(id);
    }

    public List<FieldInfo> fields() {
        return fields;
    }

    int nextSite() {
        return sites.size();
    }

    void add(Site site) {
        sites.add(site);
        Mode mode = wanted.get(site.key());
        modes.add(mode);
        if (mode != null) {
            unknownSites.remove(site.key());
        }
    }

    /** The place with this number; number 0 is no place. */
    public Site site(int id) {
        return sites.get(id);
    }

    /** How strongly an access is ordered for which the code says {@code usual}. */
    public Mode mode(int site, Mode usual) {
        if (wanted.isEmpty()) {
            return usual;
        }
        Mode mode = modes.get(site);
        return mode == null ? usual : mode;
    }

    /** All places, of which the first one is none. */
    public List<Site> sites() {
        return sites;
    }

    /** The keys that the user has given a mode, and that no class has so far. */
    public Set<String> unknownSites() {
        return unknownSites;
    }

    /** The fields that the user lets race, and that no class has so far. */
    public Set<String> unknownFields() {
        return unknownFields;
    }
}
