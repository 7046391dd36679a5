package dev.cqs.amc.fuzz;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;

/** Loads classes from memory, and provides their class files to the instrumenting loader. */
final class ProgramLoader extends ClassLoader {

    private final Map<String, byte[]> files;

    ProgramLoader(Map<String, byte[]> files) {
        super(ProgramLoader.class.getClassLoader());
        this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] file = files.get(name);
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, file, 0, file.length);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] file = files.get(name.replace('/', '.').replace(".class", ""));
        return file == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(file);
    }
}
