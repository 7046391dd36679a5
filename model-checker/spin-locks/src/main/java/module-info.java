/** The classic locks, in plain Java with variable handles. */
module dev.cqs.locks {
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs.locks;
}
