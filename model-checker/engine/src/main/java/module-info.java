/**
 * An await model checker. It runs a small concurrent program in every execution that a memory model allows. The result
 * is that no execution fails, races or hangs, or a counter-example.
 */
module dev.cqs.amc {
    requires org.objectweb.asm;
    requires org.objectweb.asm.commons;
    requires org.objectweb.asm.tree;
    // Annotations: callers compile against them, nobody needs them to run.
    requires static transitive org.jspecify;

    exports dev.cqs.amc;
}
