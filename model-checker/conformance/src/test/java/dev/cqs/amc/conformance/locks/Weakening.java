package dev.cqs.amc.conformance.locks;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.Mode;
import dev.cqs.amc.Verdict;
import java.util.List;

/**
 * A weakening of one access of a lock by one step.
 *
 * @param site the key of the access
 * @param mode the weaker mode
 * @param verdict the expected verdict
 * @param reason why the weakening is harmless; null if it is not
 */
record Weakening(String site, Mode mode, Verdict verdict, String reason) {

    /** The access is as weak as possible. */
    static Weakening shows(String site, Mode mode, Verdict verdict) {
        return new Weakening(site, mode, verdict, null);
    }

    /** The access is stronger than necessary, for a reason. */
    static Weakening isHarmless(String site, Mode mode, String reason) {
        return new Weakening(site, mode, Verdict.VERIFIED, reason);
    }

    /**
     * The modes that are one step weaker, for accesses that order anything. PLAIN is no such step, because it allows
     * races.
     */
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
