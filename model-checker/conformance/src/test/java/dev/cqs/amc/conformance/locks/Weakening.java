package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * An access of a lock that is made weaker by one step.
 *
 * @param site the key of the access
 * @param mode how strong it is then
 * @param verdict how the lack shows
 * @param reason why it does not show; null if it does
 */
record Weakening(String site, Mode mode, Verdict verdict, String reason) {

    /** The literature needs the access as it is, and so do we. */
    static Weakening shows(String site, Mode mode, Verdict verdict) {
        return new Weakening(site, mode, verdict, null);
    }

    /** The access is stronger than it must be. */
    static Weakening isHarmless(String site, Mode mode, String reason) {
        return new Weakening(site, mode, Verdict.VERIFIED, reason);
    }

    /** The modes that are one step weaker, for accesses that order anything; PLAIN is no step, as it is another kind of access. */
    static List<Mode> steps(AccessSite site) {
        return switch (site.mode()) {
            case VOLATILE ->
                isUpdate(site)
                        ? List.of(Mode.ACQUIRE, Mode.RELEASE)
                        : List.of(isRead(site) ? Mode.ACQUIRE : Mode.RELEASE);
            case ACQUIRE, RELEASE -> List.of(Mode.OPAQUE);
            default -> List.of();
        };
    }

    private static boolean isUpdate(AccessSite site) {
        String operation = operation(site);
        return operation.startsWith("getAnd") || operation.contains("ompareAnd") || operation.startsWith("fullFence");
    }

    private static boolean isRead(AccessSite site) {
        String operation = operation(site);
        return operation.startsWith("get") || operation.startsWith("read ");
    }

    private static String operation(AccessSite site) {
        return site.key().substring(site.key().indexOf(':') + 1);
    }

    @Override
    public String toString() {
        return site + " " + mode;
    }
}
