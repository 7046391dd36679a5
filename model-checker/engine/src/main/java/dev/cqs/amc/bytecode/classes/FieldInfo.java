package dev.cqs.amc.bytecode.classes;

/**
 * A field of an instrumented class that is not final.
 *
 * @param id its number
 * @param owner the binary name of its class, such as {@code dev.cqs.Segment}
 * @param name its name
 * @param descriptor its type, as in a class file
 * @param isStatic whether it is static
 * @param isVolatile whether it is volatile
 * @param isRacy whether it may race, by {@link dev.cqs.amc.RacyAllowed}
 */
public record FieldInfo(
        int id, String owner, String name, String descriptor, boolean isStatic, boolean isVolatile, boolean isRacy) {}
