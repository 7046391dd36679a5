package dev.cqs.amc.bytecode.classes;

import dev.cqs.amc.Mode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;

/** Numbers the sites of one class. */
public final class Sites {

    private final CodeTable table;
    private final String className;
    private final boolean isModel;
    private final String file;
    private final Map<String, Integer> counts = new HashMap<>();

    public Sites(CodeTable table, ClassNode node) {
        this.table = table;
        String binary = node.name.replace('/', '.');
        isModel = binary.startsWith(Scope.MODELS);
        this.className = binary.substring(binary.lastIndexOf('.') + 1).replace('$', '.');
        this.file = node.sourceFile == null ? className : node.sourceFile;
    }

    /** Adds a site at {@code instruction}. Returns its number. */
    int add(String method, AbstractInsnNode instruction, String operation, @Nullable Mode mode, boolean spins) {
        String name = className + "." + method + ":" + operation;
        int count = counts.merge(name, 1, Integer::sum) - 1;
        int id = table.nextSite();
        table.add(new Site(id, name + "#" + count, where(instruction), mode, isModel, spins));
        return id;
    }

    private String where(AbstractInsnNode instruction) {
        AbstractInsnNode first = instruction; // the line number of a label follows it
        while (Code.isMark(first) && !(first instanceof LineNumberNode) && first.getNext() != null) {
            first = first.getNext();
        }
        for (AbstractInsnNode at = first; at != null; at = at.getPrevious()) {
            if (at instanceof LineNumberNode line) {
                return file + ":" + line.line;
            }
        }
        return file;
    }
}
