package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.bytecode.classes.ClassShapes;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.FieldInfo;
import dev.cqs.amc.bytecode.classes.ForeignTypes;
import dev.cqs.amc.bytecode.classes.ModelTypes;
import dev.cqs.amc.bytecode.classes.Scope;
import dev.cqs.amc.bytecode.classes.Sites;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Instruments class files. */
final class Instrumenter {
    /*
     * The steps, with the classes that do them:
     *
     *   1. types of the JDK that have a model are replaced by it                              ModelTypes
     *   2. in every method, accesses and calls are sent to the hooks                          FieldRewriter, ArrayRewriter,
     *                                                                                         CallRewriter, VariableHandles
     *   3. then handlers, monitors of methods and loops are announced                         HandlerGuard, Bracket, LoopRewriter
     *   4. the class gets accessors for its fields, and a place for the shadow of an object   Accessors, Shadows
     *
     * Stack map frames are kept and extended, never recomputed: that would load classes.
     */

    private static final String RACY = "Ldev/cqs/amc/RacyAllowed;";

    private final Scope scope;
    private final ModelTypes models;
    private final ClassShapes shapes;
    private final CodeTable table;

    Instrumenter(ClassLoader resources, Scope scope, CodeTable table) {
        this.scope = scope;
        this.models = new ModelTypes(resources);
        this.shapes = new ClassShapes(resources, scope, models);
        this.table = table;
    }

    byte[] instrument(String name, byte[] original) {
        try {
            ClassNode node = read(name, original);
            instrument(node);
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            node.accept(writer);
            return writer.toByteArray();
        } catch (InstrumentationException problem) {
            throw problem;
        } catch (RuntimeException problem) {
            throw new InstrumentationException("The class " + name + " cannot be instrumented: " + problem, problem);
        }
    }

    private ClassNode read(String name, byte[] original) {
        int version = (original[6] & 0xff) << 8 | original[7] & 0xff;
        if (version < Opcodes.V1_8) {
            throw new InstrumentationException("The class " + name + " cannot be instrumented: its class file has "
                    + "version " + version + ". Compile it for Java 8 or later.");
        }
        ClassNode node = new ClassNode();
        boolean replaced = ModelTypes.appliesTo(name.replace('.', '/'));
        ClassVisitor visitor = replaced ? new ClassRemapper(node, models) : node;
        new ClassReader(original).accept(visitor, ClassReader.EXPAND_FRAMES);
        return node;
    }

    private void instrument(ClassNode node) {
        checkFinalizer(node);
        Sites sites = new Sites(table, node);
        VariableHandles handles = new VariableHandles(node);
        boolean isInterface = (node.access & Opcodes.ACC_INTERFACE) != 0;
        boolean isRoot = !isInterface && !scope.coversInternal(node.superName);
        FieldNode[] fields = node.fields.toArray(new FieldNode[0]);
        int[] ids = new int[fields.length];
        for (int i = 0; i < fields.length; i++) {
            ids[i] = register(node, fields[i]);
        }
        new MethodReferences(node, scope).rewrite();
        for (MethodNode method : node.methods) {
            if (method.instructions.size() > 0) {
                new MethodInstrumenter(node, method, scope, shapes, sites).instrument(handles, isRoot);
            }
        }
        handles.bridges().forEach(node.methods::add);
        Accessors accessors = new Accessors(node, new ForeignTypes(shapes, scope));
        for (int i = 0; i < fields.length; i++) {
            if (ids[i] >= 0) {
                accessors.add(fields[i], ids[i]);
            }
        }
        if (!isInterface) {
            new Shadows(node, isRoot, shapes).add(fields, ids);
        }
    }

    private static void checkFinalizer(ClassNode node) {
        for (MethodNode method : node.methods) {
            if (method.name.equals("finalize") && method.desc.equals("()V") && method.instructions.size() > 1) {
                throw new InstrumentationException(
                        "The class " + node.name.replace('/', '.') + " cannot be instrumented: it has a"
                                + " finalizer, which another thread runs at any time. Leave it out of what is checked.");
            }
        }
    }

    /** Registers a field. Returns its number, or -1 if it is final. */
    private int register(ClassNode node, FieldNode field) {
        if ((field.access & Opcodes.ACC_FINAL) != 0) {
            return -1;
        }
        String owner = node.name.replace('/', '.');
        boolean isRacy = table.isRacy(owner, field.name)
                || field.visibleAnnotations != null
                        && field.visibleAnnotations.stream().anyMatch(annotation -> annotation.desc.equals(RACY));
        int id = table.nextField();
        table.add(new FieldInfo(
                id,
                owner,
                field.name,
                field.desc,
                (field.access & Opcodes.ACC_STATIC) != 0,
                (field.access & Opcodes.ACC_VOLATILE) != 0,
                isRacy));
        return id;
    }
}
