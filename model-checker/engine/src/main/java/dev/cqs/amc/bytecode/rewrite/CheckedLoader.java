package dev.cqs.amc.bytecode.rewrite;

import dev.cqs.amc.InstrumentationException;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.Scope;
import dev.cqs.amc.bytecode.heap.Shadowed;
import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.bytecode.runtime.InstrumentedClasses;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;

/**
 * Loads the instrumented classes of a scenario, and delegates all others to its parent. The class files come from the
 * parent too, so a class may exist twice: original and instrumented.
 */
public final class CheckedLoader extends ClassLoader implements InstrumentedClasses {

    static {
        registerAsParallelCapable();
    }

    private final Scope scope;
    private final CodeTable table;
    private final Instrumenter instrumenter;

    /**
     * Makes a loader.
     *
     * @param parent provides the class files
     * @param packages the packages to instrument, with their subpackages
     * @param classes the binary names of further classes to instrument, with their nested classes
     */
    public CheckedLoader(ClassLoader parent, Collection<String> packages, Collection<String> classes) {
        this(parent, packages, classes, new CodeTable());
    }

    public CheckedLoader(ClassLoader parent, Collection<String> packages, Collection<String> classes, CodeTable table) {
        super(parent);
        this.table = table;
        scope = new Scope(packages, classes);
        instrumenter = new Instrumenter(parent, scope, table);
        setDefaultAssertionStatus(true);
        Module checker = Hooks.class.getModule();
        if (checker.isNamed()) {
            checker.addExports(Hooks.class.getPackageName(), getUnnamedModule());
            checker.addExports(Shadowed.class.getPackageName(), getUnnamedModule());
        }
    }

    /** The fields and sites of the classes that are loaded so far. */
    public CodeTable table() {
        return table;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!scope.covers(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = findClass(name);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] original = read(name);
        byte[] instrumented;
        synchronized (table) {
            instrumented = instrumenter.instrument(name, original);
        }
        return defineClass(name, instrumented, 0, instrumented.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return file.readAllBytes();
        } catch (IOException problem) {
            throw new InstrumentationException(
                    "The class file of " + name + " cannot be read: " + problem.getMessage(), problem);
        }
    }
}
