package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.bytecode.classes.Site;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The notes of a search: where the checker approximated the code, each in a sentence. */
public final class Notes {
    private final Set<String> sentences = new LinkedHashSet<>();

    Notes() {}

    /** A fence is ignored. */
    public void ignoredFence(Site fence) {
        boolean isLoad = fence.key().contains(":loadLoadFence#");
        sentences.add("VarHandle." + (isLoad ? "loadLoadFence" : "storeStoreFence") + " at " + fence.where()
                + " is ignored: it orders " + (isLoad ? "reads with later reads" : "writes with later writes")
                + " only, which no model here expresses. If the scenario is wrong without it, use "
                + (isLoad ? "acquireFence" : "releaseFence") + ".");
    }

    /** The code iterates over a set or map whose order differs between JVM runs. */
    public void iterationOrder(Object collection) {
        sentences.add("The iteration order of a " + collection.getClass().getName()
                + " is that of this JVM run; other orders are not checked."
                + " Use a list, a LinkedHashSet or a LinkedHashMap.");
    }

    /** Code of the JDK uses a real identity hash code. */
    public void realIdentityHash() {
        sentences.add(
                "Code of the JDK uses the identity hash code of an object or array, which is that of this JVM run;"
                        + " other hash codes are not checked."
                        + " Call System.identityHashCode, or use a class with a hashCode of its own.");
    }

    /** An object with final fields has escaped before its constructor ends. */
    public void earlyEscape(Object object) {
        sentences.add("An object of " + object.getClass().getName()
                + " may escape to other threads before its constructor has ended. Its final fields are checked as if"
                + " they had their final values; Java does not promise that to a thread that gets the object by a data"
                + " race. Publish it after its constructor has ended.");
    }

    /** The code uses the id of a thread. */
    public void threadId() {
        sentences.add(
                "The id of a thread is used. Here ids are in the order in which threads are made; if the code uses"
                        + " an id as a number, such as a slot or a seed, then other ids are not checked.");
    }

    /** All notes so far. */
    public List<String> all() {
        return List.copyOf(sentences);
    }
}
