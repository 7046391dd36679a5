/**
 * An await model checker: it runs a small concurrent program in every execution that a memory model allows, and
 * says that none of them fails, races or hangs, or shows the one that does.
 */
module dev.cqs.amc {
    requires org.objectweb.asm;
    requires org.objectweb.asm.commons;
    requires org.objectweb.asm.tree;
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs.amc;
}
