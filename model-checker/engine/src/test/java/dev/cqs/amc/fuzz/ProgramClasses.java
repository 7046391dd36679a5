package dev.cqs.amc.fuzz;

import dev.cqs.amc.fuzz.SmallProgram.Await;
import dev.cqs.amc.fuzz.SmallProgram.CloneOf;
import dev.cqs.amc.fuzz.SmallProgram.Constant;
import dev.cqs.amc.fuzz.SmallProgram.CopyOf;
import dev.cqs.amc.fuzz.SmallProgram.CopyTo;
import dev.cqs.amc.fuzz.SmallProgram.Declared;
import dev.cqs.amc.fuzz.SmallProgram.Fence;
import dev.cqs.amc.fuzz.SmallProgram.Field;
import dev.cqs.amc.fuzz.SmallProgram.Given;
import dev.cqs.amc.fuzz.SmallProgram.Holder;
import dev.cqs.amc.fuzz.SmallProgram.How;
import dev.cqs.amc.fuzz.SmallProgram.IfSome;
import dev.cqs.amc.fuzz.SmallProgram.Join;
import dev.cqs.amc.fuzz.SmallProgram.Kind;
import dev.cqs.amc.fuzz.SmallProgram.Load;
import dev.cqs.amc.fuzz.SmallProgram.Local;
import dev.cqs.amc.fuzz.SmallProgram.Locked;
import dev.cqs.amc.fuzz.SmallProgram.New;
import dev.cqs.amc.fuzz.SmallProgram.Op;
import dev.cqs.amc.fuzz.SmallProgram.Operand;
import dev.cqs.amc.fuzz.SmallProgram.Place;
import dev.cqs.amc.fuzz.SmallProgram.Start;
import dev.cqs.amc.fuzz.SmallProgram.Store;
import dev.cqs.amc.fuzz.SmallProgram.Type;
import dev.cqs.amc.fuzz.SmallProgram.Update;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates the class files of a program, as a compiler would. */
final class ProgramClasses {

    private static final String PROGRAM = "fuzzed/Program";
    private static final String NODE = "fuzzed/Node";
    private static final String OBJECT = "java/lang/Object";
    private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
    private static final String HANDLE = "java/lang/invoke/VarHandle";
    private static final String HANDLE_TYPE = "L" + HANDLE + ";";

    private static final int THREAD_SLOT = 200;

    private final SmallProgram program;
    private int line;

    private ProgramClasses(SmallProgram program) {
        this.program = program;
    }

    /** Loads the scenario with a loader of its own. */
    static Class<?> load(SmallProgram program) {
        ProgramClasses classes = new ProgramClasses(program);
        ProgramLoader loader = new ProgramLoader(Map.of(
                "fuzzed.Program", classes.scenario(), "fuzzed.Node", classes.node(), "fuzzed.Work", classes.work()));
        try {
            return Class.forName("fuzzed.Program", false, loader);
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private ClassWriter begin(String name, String implemented, Holder... holders) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String one, String other) {
                return OBJECT;
            }
        };
        writer.visit(
                Opcodes.V17,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER,
                name,
                null,
                OBJECT,
                implemented == null ? null : new String[] {implemented});
        writer.visitSource("Program.java", null);
        for (Field field : program.fields()) {
            if (List.of(holders).contains(field.holder())) {
                int access = (field.holder() == Holder.STATIC ? Opcodes.ACC_STATIC : 0)
                        | (field.declared() == Declared.VOLATILE ? Opcodes.ACC_VOLATILE : 0);
                var visitor = writer.visitField(access, field.name(), field.type().descriptor, null, null);
                if (field.declared() == Declared.RACY) {
                    visitor.visitAnnotation("Ldev/cqs/amc/RacyAllowed;", true).visitEnd();
                }
                visitor.visitEnd();
            }
        }
        return writer;
    }

    private static MethodVisitor method(ClassWriter writer, int access, String name, String descriptor) {
        MethodVisitor code = writer.visitMethod(access, name, descriptor, null, null);
        code.visitCode();
        return code;
    }

    private static void end(MethodVisitor code) {
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static MethodVisitor constructor(ClassWriter writer, String descriptor) {
        MethodVisitor code = method(writer, 0, "<init>", descriptor);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
        return code;
    }

    private byte[] node() {
        ClassWriter writer = begin(NODE, "java/lang/Cloneable", Holder.NODE);
        if (program.tellsObjects()) {
            writer.visitField(Opcodes.ACC_FINAL, "id", "I", null, null).visitEnd();
        }
        for (boolean writes : new boolean[] {false, true}) {
            MethodVisitor code = constructor(writer, writes ? "(II)V" : "(I)V");
            if (program.tellsObjects()) {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ILOAD, 1);
                code.visitFieldInsn(Opcodes.PUTFIELD, NODE, "id", "I");
            }
            if (writes) {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ILOAD, 2);
                code.visitFieldInsn(
                        Opcodes.PUTFIELD, NODE, Interpreter.first(program).name(), "I");
            }
            end(code);
        }
        MethodVisitor copy = method(writer, 0, "copy", "()L" + NODE + ";");
        copy.visitVarInsn(Opcodes.ALOAD, 0);
        copy.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, "clone", "()L" + OBJECT + ";", false);
        copy.visitTypeInsn(Opcodes.CHECKCAST, NODE);
        copy.visitInsn(Opcodes.ARETURN);
        copy.visitMaxs(0, 0);
        copy.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private byte[] scenario() {
        ClassWriter writer = begin(PROGRAM, null, Holder.SCENARIO, Holder.STATIC);
        MethodVisitor set = constructor(writer, "()V");
        for (Given given : SmallProgram.GIVEN) {
            writer.visitField(Opcodes.ACC_FINAL, given.name(), given.type().descriptor, null, null)
                    .visitEnd();
            set.visitVarInsn(Opcodes.ALOAD, 0);
            make(set, given.type(), given.id(), null);
            set.visitFieldInsn(Opcodes.PUTFIELD, PROGRAM, given.name(), given.type().descriptor);
        }
        end(set);
        handles(writer);
        for (int i = 0; i < program.actors().size(); i++) {
            thread(writer, "a" + i, "Actor", program.actors().get(i));
        }
        if (program.started() != null) {
            work(writer, program.started());
        }
        if (!program.end().isEmpty()) {
            thread(writer, "end", "Arbiter", program.end());
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** The started thread's body: it calls the method {@code work} of the scenario. */
    private byte[] work() {
        String name = "fuzzed/Work";
        ClassWriter writer = begin(name, "java/lang/Runnable");
        writer.visitField(Opcodes.ACC_FINAL, "program", "L" + PROGRAM + ";", null, null)
                .visitEnd();
        writer.visitField(Opcodes.ACC_FINAL, "captured", "L" + OBJECT + ";", null, null)
                .visitEnd();
        MethodVisitor set = constructor(writer, "(L" + PROGRAM + ";L" + OBJECT + ";)V");
        set.visitVarInsn(Opcodes.ALOAD, 0);
        set.visitVarInsn(Opcodes.ALOAD, 1);
        set.visitFieldInsn(Opcodes.PUTFIELD, name, "program", "L" + PROGRAM + ";");
        set.visitVarInsn(Opcodes.ALOAD, 0);
        set.visitVarInsn(Opcodes.ALOAD, 2);
        set.visitFieldInsn(Opcodes.PUTFIELD, name, "captured", "L" + OBJECT + ";");
        end(set);
        MethodVisitor run = method(writer, Opcodes.ACC_PUBLIC, "run", "()V");
        run.visitVarInsn(Opcodes.ALOAD, 0);
        run.visitFieldInsn(Opcodes.GETFIELD, name, "program", "L" + PROGRAM + ";");
        run.visitVarInsn(Opcodes.ALOAD, 0);
        run.visitFieldInsn(Opcodes.GETFIELD, name, "captured", "L" + OBJECT + ";");
        run.visitMethodInsn(Opcodes.INVOKEVIRTUAL, PROGRAM, "work", "(L" + OBJECT + ";)V", false);
        end(run);
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void work(ClassWriter writer, Start started) {
        MethodVisitor code = method(writer, 0, "work", "(L" + OBJECT + ";)V");
        if (started.captured() != null) {
            String type = started.captured().type().descriptor;
            code.visitVarInsn(Opcodes.ALOAD, 1);
            code.visitTypeInsn(
                    Opcodes.CHECKCAST, org.objectweb.asm.Type.getType(type).getInternalName());
            code.visitVarInsn(Opcodes.ASTORE, slot(started.captured()));
        }
        started.body().forEach(op -> visit(code, op));
        end(code);
    }

    private static void start(MethodVisitor code, Start start) {
        code.visitTypeInsn(Opcodes.NEW, "java/lang/Thread");
        code.visitInsn(Opcodes.DUP);
        code.visitTypeInsn(Opcodes.NEW, "fuzzed/Work");
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        push(code, start.captured());
        code.visitMethodInsn(
                Opcodes.INVOKESPECIAL, "fuzzed/Work", "<init>", "(L" + PROGRAM + ";L" + OBJECT + ";)V", false);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Thread", "<init>", "(Ljava/lang/Runnable;)V", false);
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ASTORE, THREAD_SLOT);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Thread", "start", "()V", false);
    }

    private void thread(ClassWriter writer, String name, String annotation, List<Op> ops) {
        MethodVisitor code = method(writer, 0, name, "()V");
        code.visitAnnotation("Ldev/cqs/amc/" + annotation + ";", true).visitEnd();
        ops.forEach(op -> visit(code, op));
        end(code);
    }

    // Variable handles

    private void handles(ClassWriter writer) {
        MethodVisitor code = method(writer, Opcodes.ACC_STATIC, "<clinit>", "()V");
        for (Field field : program.fields()) {
            boolean isStatic = field.holder() == Holder.STATIC;
            String handle = new Place(null, field, 0).handle();
            writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, handle, HANDLE_TYPE, null, null)
                    .visitEnd();
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, "java/lang/invoke/MethodHandles", "lookup", "()L" + LOOKUP + ";", false);
            code.visitLdcInsn(org.objectweb.asm.Type.getObjectType(owner(field)));
            code.visitLdcInsn(field.name());
            pushClass(code, field.type());
            code.visitMethodInsn(
                    Opcodes.INVOKEVIRTUAL,
                    LOOKUP,
                    isStatic ? "findStaticVarHandle" : "findVarHandle",
                    "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)" + HANDLE_TYPE,
                    false);
            code.visitFieldInsn(Opcodes.PUTSTATIC, PROGRAM, handle, HANDLE_TYPE);
        }
        for (Given array : List.of(SmallProgram.INTS, SmallProgram.NODES)) {
            String handle = new Place(array, null, 0).handle();
            writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, handle, HANDLE_TYPE, null, null)
                    .visitEnd();
            pushClass(code, array.type());
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/lang/invoke/MethodHandles",
                    "arrayElementVarHandle",
                    "(Ljava/lang/Class;)" + HANDLE_TYPE,
                    false);
            code.visitFieldInsn(Opcodes.PUTSTATIC, PROGRAM, handle, HANDLE_TYPE);
        }
        end(code);
    }

    private static void pushClass(MethodVisitor code, Type type) {
        if (type == Type.INT) {
            code.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/Integer", "TYPE", "Ljava/lang/Class;");
        } else {
            code.visitLdcInsn(org.objectweb.asm.Type.getType(type.descriptor));
        }
    }

    private static String owner(Field field) {
        return field.holder() == Holder.NODE ? NODE : PROGRAM;
    }

    // Operations

    private void visit(MethodVisitor code, Op op) {
        Label here = new Label();
        code.visitLabel(here);
        code.visitLineNumber(++line, here);
        if (op instanceof New made) {
            make(code, made.to().type(), made.id(), made.first());
            code.visitVarInsn(Opcodes.ASTORE, slot(made.to()));
        } else if (op instanceof Load load) {
            load(code, load);
        } else if (op instanceof Await await) {
            await(code, await.load());
        } else if (op instanceof CopyOf copy) {
            push(code, copy.from());
            code.visitInsn(Opcodes.ICONST_0);
            code.visitLdcInsn(SmallProgram.ELEMENTS);
            String array = copy.to().type() == Type.INTS ? "[I" : "[Ljava/lang/Object;";
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, "java/util/Arrays", "copyOfRange", "(" + array + "II)" + array, false);
            code.visitTypeInsn(Opcodes.CHECKCAST, copy.to().type().descriptor);
            code.visitVarInsn(Opcodes.ASTORE, slot(copy.to()));
        } else if (op instanceof CloneOf clone) {
            push(code, clone.from());
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, NODE, "copy", "()L" + NODE + ";", false);
            code.visitVarInsn(Opcodes.ASTORE, slot(clone.to()));
        } else if (op instanceof CopyTo copy) {
            push(code, copy.from());
            code.visitInsn(Opcodes.ICONST_0);
            push(code, copy.to());
            code.visitInsn(Opcodes.ICONST_0);
            code.visitLdcInsn(SmallProgram.ELEMENTS);
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/lang/System",
                    "arraycopy",
                    "(Ljava/lang/Object;ILjava/lang/Object;II)V",
                    false);
        } else if (op instanceof Store store) {
            store(code, store);
        } else if (op instanceof Update update) {
            update(code, update);
        } else if (op instanceof Fence fence) {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLE, fence.kind().method, "()V", false);
        } else if (op instanceof Locked block) {
            push(code, block.monitor());
            code.visitInsn(Opcodes.MONITORENTER);
            block.body().forEach(inner -> visit(code, inner));
            push(code, block.monitor());
            code.visitInsn(Opcodes.MONITOREXIT);
        } else if (op instanceof Start start) {
            start(code, start);
        } else if (op instanceof Join) {
            code.visitVarInsn(Opcodes.ALOAD, THREAD_SLOT);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Thread", "join", "()V", false);
        } else if (op instanceof IfSome block) {
            Label after = new Label();
            push(code, block.tested());
            code.visitJumpInsn(Opcodes.IFNULL, after);
            block.body().forEach(inner -> visit(code, inner));
            code.visitLabel(after);
        }
    }

    private static int slot(Local local) {
        return 1 + local.number();
    }

    private static void make(MethodVisitor code, Type type, int id, Constant first) {
        if (type == Type.NODE) {
            code.visitTypeInsn(Opcodes.NEW, NODE);
            code.visitInsn(Opcodes.DUP);
            code.visitLdcInsn(id);
            if (first != null) {
                code.visitLdcInsn(first.value());
            }
            code.visitMethodInsn(Opcodes.INVOKESPECIAL, NODE, "<init>", first == null ? "(I)V" : "(II)V", false);
        } else {
            code.visitLdcInsn(id);
            if (type == Type.INTS) {
                code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_INT);
            } else {
                code.visitTypeInsn(Opcodes.ANEWARRAY, NODE);
            }
        }
    }

    private static void push(MethodVisitor code, Operand operand) {
        if (operand instanceof Constant constant) {
            code.visitLdcInsn(constant.value());
        } else if (operand instanceof Local local) {
            code.visitVarInsn(local.type() == Type.INT ? Opcodes.ILOAD : Opcodes.ALOAD, slot(local));
        } else if (operand instanceof Given given) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitFieldInsn(Opcodes.GETFIELD, PROGRAM, given.name(), given.type().descriptor);
        } else {
            code.visitInsn(Opcodes.ACONST_NULL);
        }
    }

    /** Pushes the coordinates of an access. Returns their descriptor. */
    private static String receiver(MethodVisitor code, Place place) {
        if (place.field() == null) {
            push(code, place.base());
            code.visitLdcInsn(place.index());
            return SmallProgram.typeOf(place.base()).descriptor + "I";
        }
        if (place.base() != null) {
            push(code, place.base());
            return Type.NODE.descriptor;
        }
        if (place.field().holder() == Holder.STATIC) {
            return "";
        }
        code.visitVarInsn(Opcodes.ALOAD, 0);
        return "L" + PROGRAM + ";";
    }

    private static void pushHandle(MethodVisitor code, Place place) {
        code.visitFieldInsn(Opcodes.GETSTATIC, PROGRAM, place.handle(), HANDLE_TYPE);
    }

    private static void call(MethodVisitor code, String method, String parameters, String result) {
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, HANDLE, method, "(" + parameters + ")" + result, false);
    }

    private static void directly(MethodVisitor code, Place place, boolean writes) {
        boolean isInt = place.type() == Type.INT;
        if (place.field() == null) {
            code.visitInsn(
                    writes ? isInt ? Opcodes.IASTORE : Opcodes.AASTORE : isInt ? Opcodes.IALOAD : Opcodes.AALOAD);
            return;
        }
        boolean isStatic = place.field().holder() == Holder.STATIC;
        code.visitFieldInsn(
                writes
                        ? isStatic ? Opcodes.PUTSTATIC : Opcodes.PUTFIELD
                        : isStatic ? Opcodes.GETSTATIC : Opcodes.GETFIELD,
                owner(place.field()),
                place.field().name(),
                place.type().descriptor);
    }

    private void load(MethodVisitor code, Load load) {
        access(code, load);
        keep(code, load.to());
    }

    private void await(MethodVisitor code, Load load) {
        boolean isInt = load.to().type() == Type.INT;
        Label again = new Label();
        Label after = new Label();
        code.visitLabel(again);
        access(code, load);
        code.visitVarInsn(isInt ? Opcodes.ISTORE : Opcodes.ASTORE, slot(load.to()));
        push(code, load.to());
        code.visitJumpInsn(isInt ? Opcodes.IFNE : Opcodes.IFNONNULL, after);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "onSpinWait", "()V", false);
        code.visitJumpInsn(Opcodes.GOTO, again);
        code.visitLabel(after);
        push(code, load.to());
        keep(code, load.to());
    }

    private static void access(MethodVisitor code, Load load) {
        if (load.how() == How.DIRECT) {
            receiver(code, load.from());
            directly(code, load.from(), false);
        } else {
            pushHandle(code, load.from());
            call(code, load.method(), receiver(code, load.from()), load.to().type().descriptor);
        }
    }

    private static void store(MethodVisitor code, Store store) {
        if (store.how() == How.DIRECT) {
            receiver(code, store.to());
            push(code, store.value());
            directly(code, store.to(), true);
        } else {
            pushHandle(code, store.to());
            String receiver = receiver(code, store.to());
            push(code, store.value());
            call(code, store.method(), receiver + store.to().type().descriptor, "V");
        }
    }

    private void update(MethodVisitor code, Update update) {
        String type = update.place().type().descriptor;
        pushHandle(code, update.place());
        String receiver = receiver(code, update.place());
        if (update.compares()) {
            push(code, update.expected());
        }
        push(code, update.value());
        boolean compares = update.kind() == Kind.COMPARE;
        call(code, update.method(), receiver + (update.compares() ? type + type : type), compares ? "Z" : type);
        if (compares) {
            observe(code);
        } else {
            keep(code, update.to());
        }
    }

    /** Stores the top of the stack in a local variable and in the outcome. */
    private void keep(MethodVisitor code, Local local) {
        boolean isInt = local.type() == Type.INT;
        code.visitVarInsn(isInt ? Opcodes.ISTORE : Opcodes.ASTORE, slot(local));
        push(code, local);
        if (isInt) {
            observe(code);
            return;
        }
        Label some = new Label();
        Label after = new Label();
        code.visitJumpInsn(Opcodes.IFNONNULL, some);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitJumpInsn(Opcodes.GOTO, after);
        code.visitLabel(some);
        if (local.type().isArray()) {
            push(code, local);
            code.visitInsn(Opcodes.ARRAYLENGTH);
        } else if (program.tellsObjects()) {
            push(code, local);
            code.visitFieldInsn(Opcodes.GETFIELD, NODE, "id", "I");
        } else {
            code.visitInsn(Opcodes.ICONST_1);
        }
        code.visitLabel(after);
        observe(code);
    }

    private static void observe(MethodVisitor code) {
        code.visitInsn(Opcodes.I2L);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/cqs/amc/Execution", "observe", "(J)V", false);
    }
}
