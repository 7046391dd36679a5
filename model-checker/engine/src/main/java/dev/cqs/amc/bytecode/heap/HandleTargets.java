package dev.cqs.amc.bytecode.heap;

import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.FieldInfo;
import dev.cqs.amc.bytecode.classes.Refusal;
import java.lang.constant.ClassDesc;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.VarHandleDesc;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps variable handles to their targets. */
public final class HandleTargets {

    /** Of handles of array elements. */
    static final int ELEMENTS = -1;

    private final Map<VarHandle, HandleTarget> known = new IdentityHashMap<>();
    private final Map<String, Integer> fields = new HashMap<>();
    private final CodeTable code;
    private int tabled;
    private @Nullable HandleTarget latest;

    HandleTargets(CodeTable code) {
        this.code = code;
    }

    /** The target of the handle. */
    public HandleTarget variable(VarHandle handle) {
        HandleTarget variable = latest;
        if (variable == null || variable.handle() != handle) { // an access asks for it several times
            variable = known.get(handle);
            if (variable == null) {
                variable = HandleTarget.of(find(handle), handle);
                known.put(handle, variable);
            }
            latest = variable;
        }
        return variable;
    }

    private int find(VarHandle handle) {
        Optional<VarHandleDesc> description = handle.describeConstable();
        if (description.isEmpty()) {
            throw new UncheckableException(
                    "The variable handle " + handle + " does not say which variable it stands for,"
                            + " so the checker cannot follow its accesses. Use a handle of a field or of array elements.");
        }
        if (handle.coordinateTypes().size() == 2) {
            return ELEMENTS;
        }
        // The description is <owner>.<name>, and has no other accessor for the owner.
        String text = description.get().toString();
        String owner = owner(description.get());
        Integer field = table().get(owner + "." + description.get().constantName());
        if (field == null) {
            throw new UncheckableException(
                    "The variable handle " + text + " stands for a field that is final, or of a class that is"
                            + " not instrumented. " + Refusal.instrument(owner) + ".");
        }
        return field;
    }

    private static String owner(VarHandleDesc description) {
        ClassDesc owner = (ClassDesc) description.bootstrapArgsList().get(0);
        String descriptor = owner.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    }

    private Map<String, Integer> table() {
        for (; tabled < code.fields().size(); tabled++) {
            FieldInfo field = code.field(tabled);
            fields.put(field.owner() + "." + field.name(), field.id());
        }
        return fields;
    }
}
