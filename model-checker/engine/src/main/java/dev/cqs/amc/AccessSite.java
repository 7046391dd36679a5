package dev.cqs.amc;

/**
 * A place in the code of a scenario that accesses shared memory, or orders accesses to it.
 *
 * @param key names the place, and does not change when lines are added elsewhere: the class without its package, the
 *     method, the operation, and which of these in the method it is, such as {@code McsLock.unlock:getAcquire#0}
 * @param where the file and line, such as {@code McsLock.java:37}
 * @param mode how strongly the code orders it
 */
public record AccessSite(String key, String where, Mode mode) {}
