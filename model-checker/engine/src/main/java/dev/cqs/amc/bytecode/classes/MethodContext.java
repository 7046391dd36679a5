package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.Mode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A method under instrumentation, with its context.
 *
 * @param owner its class
 * @param method the method
 * @param scope the instrumented classes
 * @param shapes looks up other classes
 * @param sites the sites of the class
 * @param spins whether an instruction is in a loop that only reads
 */
public record MethodContext(
        ClassNode owner,
        MethodNode method,
        Scope scope,
        ClassShapes shapes,
        Sites sites,
        Predicate<AbstractInsnNode> spins) {

    /** Adds a site. Returns its number. */
    public int site(AbstractInsnNode instruction, String operation, @Nullable Mode mode) {
        return sites.add(method.name, instruction, operation, mode, spins.test(instruction));
    }

    InstrumentationException problem(String reason) {
        return problem(owner, method, reason);
    }

    public static InstrumentationException problem(ClassNode owner, MethodNode method, String reason) {
        return new InstrumentationException("The method " + method.name + method.desc + " of "
                + owner.name.replace('/', '.') + " cannot be checked: " + reason);
    }
}
