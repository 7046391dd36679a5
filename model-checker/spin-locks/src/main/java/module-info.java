/** The classic locks, as plain Java with variable handles. */
module dev.cqs.locks {
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs.locks;
}
