package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The fields and sites of the instrumented classes of one scenario, by their numbers. */
public final class CodeTable {

    private final List<FieldInfo> fields = new ArrayList<>();
    private final List<Site> sites = new ArrayList<>();
    private final Settings settings;
    /** By the key of a site, the mode that the user has set. */
    private final Map<String, Mode> wanted;

    private final Set<String> unknownSites;
    private final Set<String> racyFields;
    private final Set<String> unknownFields;
    /** Per site: the mode that the user has set, or null. */
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

    /** The user's settings for the instrumentation. */
    public Settings settings() {
        return settings;
    }

    public int nextField() {
        return fields.size();
    }

    public void add(FieldInfo field) {
        fields.add(field);
    }

    /** Whether the user allows races on this field. */
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

    /** The site with this number; number 0 stands for an unknown site. */
    public Site site(int id) {
        return sites.get(id);
    }

    /** The mode of an access that has the mode {@code usual} in the code. */
    public Mode mode(int site, Mode usual) {
        if (wanted.isEmpty()) {
            return usual;
        }
        Mode mode = modes.get(site);
        return mode == null ? usual : mode;
    }

    /** All sites. The first one stands for an unknown site. */
    public List<Site> sites() {
        return sites;
    }

    /** The keys with a mode from the user that are in no class so far. */
    public Set<String> unknownSites() {
        return unknownSites;
    }

    /** The fields on which the user allows races that are in no class so far. */
    public Set<String> unknownFields() {
        return unknownFields;
    }
}
