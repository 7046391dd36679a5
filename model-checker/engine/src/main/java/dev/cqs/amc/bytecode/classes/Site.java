package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.Mode;
import org.jspecify.annotations.Nullable;

/**
 * A site in instrumented code.
 *
 * @param id its number
 * @param key as in {@link AccessSite}
 * @param where as in {@link AccessSite}
 * @param mode the mode in the code; null if it is neither an access nor a fence
 * @param isModel whether it is in a model of a JDK class, and not in the user's code
 * @param spins whether it is in a loop that only reads: no writes, and no calls except of onSpinWait
 */
public record Site(
        int id, String key, String where, @Nullable Mode mode, boolean isModel, boolean spins) {}
