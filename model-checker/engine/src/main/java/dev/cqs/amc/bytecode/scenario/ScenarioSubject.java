package dev.cqs.amc.bytecode.scenario;

import dev.cqs.amc.AccessSite;
import dev.cqs.amc.UncheckableException;
import dev.cqs.amc.bytecode.classes.CodeTable;
import dev.cqs.amc.bytecode.classes.Refusal;
import dev.cqs.amc.bytecode.classes.Site;
import dev.cqs.amc.bytecode.heap.FieldAccess;
import dev.cqs.amc.bytecode.heap.Foreign;
import dev.cqs.amc.bytecode.heap.Heap;
import dev.cqs.amc.bytecode.heap.ObjectNames;
import dev.cqs.amc.bytecode.heap.SearchAssumptions;
import dev.cqs.amc.bytecode.heap.Shadow;
import dev.cqs.amc.bytecode.rewrite.CheckedLoader;
import dev.cqs.amc.bytecode.runtime.CodeRun;
import dev.cqs.amc.bytecode.runtime.Hooks;
import dev.cqs.amc.bytecode.runtime.ScenarioThreads;
import dev.cqs.amc.check.Exit;
import dev.cqs.amc.threads.RunnableSubject;
import dev.cqs.amc.threads.ThreadRun;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A scenario class as a subject. */
final class ScenarioSubject implements RunnableSubject, ScenarioThreads {

    private static final String THREAD = "dev.cqs.amc.jdk.Thread";

    private final String name;
    private final CodeTable code;
    private final Actors actors;
    private final Heap heap;
    private final Object scenario;
    private final List<String> names = new ArrayList<>();
    private final List<Shadow> threads = new ArrayList<>();
    private final CodeRun[] runs;
    /** The number of the n-th thread that a thread starts. */
    private final Map<List<Integer>, Integer> created = new HashMap<>();

    private final int most;
    private final boolean expectsInterrupts;
    private final MethodHandle beginThread;
    private final MethodHandle uncaught;
    private int interruptField = -1;

    /**
     * Sets up a scenario, which runs its constructor and static initializers in the calling thread.
     *
     * @param assumptions the assumptions of the search
     */
    ScenarioSubject(Class<?> type, CheckedLoader loader, SearchAssumptions assumptions) {
        expectsInterrupts = assumptions.interrupts();
        name = type.getSimpleName();
        code = loader.table();
        heap = new Heap(code, new FieldAccess(code, loader), assumptions);
        actors = new Actors(type);
        Hooks.useHeap(heap);
        scenario = actors.newScenario();
        if (!Foreign.isWatched(scenario)) {
            throw Refusal.foreign(scenario);
        }
        beginThread = ofThread(loader, "begin");
        uncaught = ofThread(loader, "uncaught", Throwable.class);
        most = actors.parts().size() + assumptions.moreThreads();
        ObjectNames objects = new ObjectNames(heap, scenario);
        heap.useNames(objects);
        runs = new CodeRun[most];
        for (int thread = 0; thread < most; thread++) {
            runs[thread] = new CodeRun(this, heap, code);
            names.add(
                    thread < actors.parts().size()
                            ? actors.parts().get(thread).name()
                            : "thread " + (thread - actors.parts().size()));
            threads.add(thread < actors.parts().size() ? heap.find(newThread(loader, names.get(thread))) : null);
            if (threads.get(thread) != null) {
                objects.name(threads.get(thread), "thread " + names.get(thread));
            }
        }
    }

    private static MethodHandle ofThread(ClassLoader loader, String name, Class<?>... parameters) {
        try {
            Method method = Class.forName(THREAD, true, loader).getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            MethodType type = MethodType.methodType(void.class, parameters).insertParameterTypes(0, Object.class);
            return MethodHandles.lookup().unreflect(method).asType(type);
        } catch (ReflectiveOperationException thrown) {
            throw new UncheckableException("The model of threads cannot be loaded.", thrown);
        }
    }

    private static Object newThread(ClassLoader loader, String name) {
        try {
            Method actor = Class.forName(THREAD, true, loader).getDeclaredMethod("actor", String.class);
            actor.setAccessible(true);
            return actor.invoke(null, name);
        } catch (ReflectiveOperationException thrown) {
            throw new UncheckableException("The model of threads cannot be loaded.", thrown);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String identity() {
        return actors.scenarioName();
    }

    @Override
    public Map<String, List<String>> settings() {
        return code.settings().recorded();
    }

    @Override
    public int threads() {
        return most;
    }

    @Override
    public int counted() {
        return actors.parts().size() - (actors.hasArbiter() ? 1 : 0) + created.size();
    }

    @Override
    public Start start(int thread) {
        if (thread >= actors.parts().size()) {
            return Start.WHEN_CREATED;
        }
        return actors.hasArbiter() && thread == actors.parts().size() - 1 ? Start.AT_END : Start.AT_ONCE;
    }

    @Override
    public int follower() {
        return actors.follower();
    }

    @Override
    public String threadName(int thread) {
        return names.get(thread);
    }

    @Override
    public String locationName(int location) {
        return heap.locationName(location);
    }

    @Override
    public long initial(int location) {
        return heap.initial(location);
    }

    @Override
    public String valueName(int location, long value) {
        return heap.valueName(location, value);
    }

    @Override
    public boolean hidesContent(int location) {
        return heap.variants().areFound() && heap.isReference(location);
    }

    @Override
    public int collapsed(int location) {
        return heap.holder(location);
    }

    @Override
    public boolean watchesFreezes() {
        return heap.watchesFreezes();
    }

    @Override
    public int holder(int location) {
        return heap.holder(location);
    }

    @Override
    public int referent(int thread, int location, long value) {
        return heap.isOfAnother(thread, location, value) ? (int) value : -1;
    }

    @Override
    public boolean isCovered(int object) {
        return heap.isCovered(object);
    }

    @Override
    public void uncover(int object) {
        heap.uncover(object);
    }

    @Override
    public void expand(int object) {
        heap.expand(object);
    }

    @Override
    public List<String> expanded() {
        return List.copyOf(heap.expanded());
    }

    @Override
    public void expand(String kind) {
        heap.expand(kind);
    }

    @Override
    public @Nullable String placeName(int site) {
        return site == 0 ? null : code.site(site).where();
    }

    @Override
    public @Nullable String codeName(int site) {
        String key = code.site(site).key();
        return key.isEmpty() ? null : key.substring(0, key.lastIndexOf(':'));
    }

    @Override
    public String siteKey(int site) {
        return code.site(site).key();
    }

    @Override
    public boolean isFixed(int site) {
        Site place = code.site(site);
        // The modes of parking and interrupts in the models are those of the JDK.
        return place.mode() == null
                || place.key().isEmpty()
                || place.isModel()
                        && (place.where().startsWith("Thread.java:")
                                || place.where().startsWith("LockSupport.java:"));
    }

    @Override
    public void expectThread(int creator, int count, int thread) {
        if (thread >= most) {
            throw new SearchAssumptions.TooManyThreads();
        }
        created.put(List.of(creator, count), thread);
    }

    @Override
    public boolean spins(int site) {
        return code.site(site).spins();
    }

    @Override
    public void begin() {
        heap.beginExecution();
    }

    @Override
    public void run(ThreadRun thread) throws Throwable {
        CodeRun run = runs[thread.id()];
        run.begin(thread);
        CodeRun before = Hooks.switchTo(run);
        try {
            runCode(run, thread);
        } catch (Throwable thrown) {
            // An actor whose thread object the code never obtained has no handler, so none is read.
            boolean mayHaveHandler = thread.id() >= actors.parts().size() || run.knowsItsThread();
            if (!mayHaveHandler || thread.isLeaving() || Exit.endsCheck(thrown)) {
                throw thrown;
            }
            uncaught.invokeExact(run.thread(), thrown);
        } finally {
            Hooks.switchTo(before);
        }
    }

    private void runCode(CodeRun run, ThreadRun thread) throws Throwable {
        if (thread.id() < actors.parts().size()) {
            runPart(actors.parts().get(thread.id()), thread);
        } else {
            beginThread.invokeExact(run.thread());
        }
    }

    private void runPart(Actors.Part part, ThreadRun thread) throws Throwable {
        if (part.returns()) {
            thread.observe((long) part.code().invokeExact(scenario));
        } else {
            part.code().invokeExact(scenario);
        }
    }

    @Override
    public long threadNumber(ThreadRun thread) {
        return thread.id() < actors.parts().size()
                ? threads.get(thread.id()).id
                : thread.lifecycle().creation();
    }

    @Override
    public int slotFor(int creator, int count) {
        Integer known = created.computeIfAbsent(List.of(creator, count), key -> {
            int slot = actors.parts().size() + created.size();
            return slot < most ? slot : null;
        });
        return known == null ? -1 : known;
    }

    @Override
    public int interruptField() {
        if (interruptField < 0) {
            interruptField = code.fields().stream()
                    .filter(field ->
                            field.owner().equals(THREAD) && field.name().equals("interrupt"))
                    .findFirst()
                    .orElseThrow()
                    .id();
        }
        return interruptField;
    }

    List<AccessSite> sites() {
        List<AccessSite> sites = new ArrayList<>();
        for (Site site : code.sites()) {
            if (site.mode() != null && !site.key().isEmpty() && !site.isModel()) {
                sites.add(new AccessSite(site.key(), site.where(), site.mode()));
            }
        }
        return sites;
    }

    /** Where the checker approximated the code, each in a sentence. */
    List<String> notes() {
        return heap.notes().all();
    }

    @Override
    public boolean expectsInterrupts() {
        return expectsInterrupts;
    }
}
