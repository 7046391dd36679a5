package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.Mode;
import org.jspecify.annotations.Nullable;

/**
 * A place in instrumented code.
 *
 * @param id its number
 * @param key as in {@link AccessSite}
 * @param where as in {@link AccessSite}
 * @param mode how strongly the source orders it; null if it is no access and no fence
 * @param isModel whether it is in a model of a class of the JDK, and not in code of the user
 * @param spins whether it is in a loop that does nothing but read: no write, no call but of onSpinWait
 */
public record Site(
        int id, String key, String where, @Nullable Mode mode, boolean isModel, boolean spins) {}
