package dev.cqs.amc.bytecode.classes;

/**
 * A non-final field of an instrumented class.
 *
 * @param id its number
 * @param owner the binary name of its class, such as {@code dev.cqs.Segment}
 * @param name its name
 * @param descriptor the descriptor of its type
 * @param isStatic whether it is static
 * @param isVolatile whether it is volatile
 * @param isRacy whether races are allowed, by {@link dev.cqs.amc.RacyAllowed} or by the settings
 */
public record FieldInfo(
        int id, String owner, String name, String descriptor, boolean isStatic, boolean isVolatile, boolean isRacy) {}
