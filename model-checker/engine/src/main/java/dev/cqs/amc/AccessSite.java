package dev.cqs.amc;

/**
 * A place in the code of a scenario with an access to shared memory, or a fence.
 *
 * @param key identifies the site by the class without its package, the method, the operation and its index in the
 *     method, such as {@code McsLock.unlock:getAcquire#0}. It does not change when lines are added elsewhere
 * @param where the file and line, such as {@code McsLock.java:37}
 * @param mode the mode in the code
 */
public record AccessSite(String key, String where, Mode mode) {}
