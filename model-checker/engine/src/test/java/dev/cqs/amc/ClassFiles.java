package dev.cqs.amc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Class files that the compiler of the tests does not make. */
public final class ClassFiles {

    public static final int JAVA_7 = Opcodes.V1_7;
    public static final int JAVA_8 = Opcodes.V1_8;

    private ClassFiles() {}

    /** A scenario whose only actor does nothing. */
    public static byte[] scenario(String name, int version) {
        ClassWriter writer = begin(name, version);
        MethodVisitor actor = beginActor(writer);
        actor.visitInsn(Opcodes.RETURN);
        return end(writer, actor);
    }

    /** A scenario for Java 8 whose only actor makes an object of {@code used}, catches everything, and returns. */
    public static byte[] catching(String name, String used) {
        ClassWriter writer = begin(name, Opcodes.V1_8);
        MethodVisitor actor = beginActor(writer);
        Label from = new Label();
        Label to = new Label();
        Label handler = new Label();
        actor.visitTryCatchBlock(from, to, handler, "java/lang/Throwable");
        actor.visitLabel(from);
        actor.visitTypeInsn(Opcodes.NEW, used);
        actor.visitInsn(Opcodes.DUP);
        actor.visitMethodInsn(Opcodes.INVOKESPECIAL, used, "<init>", "()V", false);
        actor.visitInsn(Opcodes.POP);
        actor.visitLabel(to);
        actor.visitInsn(Opcodes.RETURN);
        actor.visitLabel(handler);
        actor.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"});
        actor.visitInsn(Opcodes.POP);
        actor.visitInsn(Opcodes.RETURN);
        return end(writer, actor);
    }

    /** Writes a class file to where a loader for the folder finds it. */
    public static void write(Path classes, String name, byte[] file) throws IOException {
        Path path = classes.resolve(name + ".class");
        Files.createDirectories(path.getParent());
        Files.write(path, file);
    }

    private static ClassWriter begin(String name, int version) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
        MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(0, 0);
        constructor.visitEnd();
        return writer;
    }

    private static MethodVisitor beginActor(ClassWriter writer) {
        MethodVisitor actor = writer.visitMethod(Opcodes.ACC_PUBLIC, "runs", "()V", null, null);
        actor.visitAnnotation("Ldev/cqs/amc/Actor;", true).visitEnd();
        actor.visitCode();
        return actor;
    }

    private static byte[] end(ClassWriter writer, MethodVisitor actor) {
        actor.visitMaxs(0, 0);
        actor.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
