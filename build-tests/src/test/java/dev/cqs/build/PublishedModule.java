package dev.cqs.build;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jetbrains.kotlin.abi.tools.AbiFilters;
import org.jetbrains.kotlin.abi.tools.AbiTools;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** A module of the class path, in a folder or an archive, and the declarations that its users can refer to. */
final class PublishedModule {

    static final AbiTools TOOLS = AbiTools.Companion.getInstance(AbiTools.class.getClassLoader());

    private static final int VISIBLE = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;

    private final Set<String> exported;
    /** The classes by their internal names, as in dev/cqs/Waiter, in this order. */
    private final Map<String, byte[]> classes = new TreeMap<>();

    private PublishedModule(ModuleReference reference) throws IOException {
        exported = reference.descriptor().exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(exports -> exports.source().replace('.', '/'))
                .collect(Collectors.toSet());
        try (ModuleReader reader = reference.open();
                Stream<String> resources = reader.list()) {
            for (String resource :
                    resources.filter(name -> name.endsWith(".class")).toList()) {
                try (InputStream stream = reader.open(resource).orElseThrow()) {
                    classes.put(resource.substring(0, resource.length() - ".class".length()), stream.readAllBytes());
                }
            }
        }
    }

    static PublishedModule named(String name) throws IOException {
        for (URL url : Collections.list(PublishedModule.class.getClassLoader().getResources("module-info.class"))) {
            try (InputStream stream = url.openStream()) {
                if (!ModuleDescriptor.read(stream).name().equals(name)) {
                    continue;
                }
            }
            Path place = url.openConnection() instanceof JarURLConnection archive
                    ? Path.of(URI.create(archive.getJarFileURL().toString()))
                    : Path.of(URI.create(url.toString())).getParent();
            return new PublishedModule(ModuleFinder.of(place).find(name).orElseThrow());
        }
        return fail("The class path has no module " + name);
    }

    /**
     * The public and protected declarations in the exported packages. The tool reads files, which are written to the folder.
     */
    String binaryInterface(Path scratch) throws IOException {
        List<File> files = new ArrayList<>();
        for (String name : classes.keySet()) {
            if (isExported(name)) {
                Path file = scratch.resolve(name + ".class");
                Files.createDirectories(file.getParent());
                files.add(Files.write(file, withInheritedMembers(name)).toFile());
            }
        }
        StringBuilder text = new StringBuilder();
        TOOLS.printJvmDump(text, files, AbiFilters.Companion.getEMPTY());
        return text.toString();
    }

    private boolean isExported(String name) {
        int slash = name.lastIndexOf('/');
        return slash > 0 && exported.contains(name.substring(0, slash));
    }

    /**
     * A public class has the members of a superclass that users do not see. The tool shows only those with a bridge of the
     * compiler, and never the interfaces. So they are added to the class before the tool reads it.
     */
    private byte[] withInheritedMembers(String name) {
        ClassNode type = parse(name);
        ClassNode parent = hidden(type.superName);
        if (parent == null || (type.access & Opcodes.ACC_PUBLIC) == 0) {
            return classes.get(name);
        }
        for (; parent != null; parent = hidden(type.superName)) {
            type.superName = parent.superName;
            for (String inherited : parent.interfaces) {
                if (!type.interfaces.contains(inherited)) {
                    type.interfaces.add(inherited);
                }
            }
            for (FieldNode field : parent.fields) {
                if ((field.access & VISIBLE) != 0) {
                    type.fields.add(field);
                }
            }
            for (MethodNode method : parent.methods) {
                if ((method.access & VISIBLE) != 0 && !method.name.equals("<init>") && !overrides(type, method)) {
                    type.methods.add(method);
                }
            }
        }
        ClassWriter writer = new ClassWriter(0);
        type.accept(writer);
        return writer.toByteArray();
    }

    /** Whether the class overrides this method. A bridge to the method does not count, and is removed. */
    private static boolean overrides(ClassNode type, MethodNode method) {
        type.methods.removeIf(own -> isSame(own, method)
                && (own.access & Opcodes.ACC_SYNTHETIC) != 0
                && (method.access & Opcodes.ACC_SYNTHETIC) == 0);
        return type.methods.stream().anyMatch(own -> isSame(own, method));
    }

    private static boolean isSame(MethodNode one, MethodNode another) {
        return one.name.equals(another.name) && one.desc.equals(another.desc);
    }

    /** The class of this module with that name, if users do not see it. */
    private ClassNode hidden(String name) {
        if (!classes.containsKey(name)) {
            return null;
        }
        ClassNode type = parse(name);
        return isExported(name) && (type.access & Opcodes.ACC_PUBLIC) != 0 ? null : type;
    }

    private ClassNode parse(String name) {
        ClassNode type = new ClassNode();
        new ClassReader(classes.get(name)).accept(type, 0);
        return type;
    }
}
