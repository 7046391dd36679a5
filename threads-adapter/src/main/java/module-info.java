/** The view for Java threads, platform and virtual: classes shaped like those of {@code java.util.concurrent}. */
module dev.cqs.threads {
    requires transitive dev.cqs;
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs.threads;
}
