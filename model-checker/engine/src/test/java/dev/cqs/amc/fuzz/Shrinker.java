package dev.cqs.amc.fuzz;

import dev.cqs.amc.fuzz.SmallProgram.Await;
import dev.cqs.amc.fuzz.SmallProgram.CloneOf;
import dev.cqs.amc.fuzz.SmallProgram.CopyOf;
import dev.cqs.amc.fuzz.SmallProgram.CopyTo;
import dev.cqs.amc.fuzz.SmallProgram.IfSome;
import dev.cqs.amc.fuzz.SmallProgram.Join;
import dev.cqs.amc.fuzz.SmallProgram.Load;
import dev.cqs.amc.fuzz.SmallProgram.Local;
import dev.cqs.amc.fuzz.SmallProgram.Locked;
import dev.cqs.amc.fuzz.SmallProgram.New;
import dev.cqs.amc.fuzz.SmallProgram.Op;
import dev.cqs.amc.fuzz.SmallProgram.Operand;
import dev.cqs.amc.fuzz.SmallProgram.Place;
import dev.cqs.amc.fuzz.SmallProgram.Start;
import dev.cqs.amc.fuzz.SmallProgram.Store;
import dev.cqs.amc.fuzz.SmallProgram.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Removes operations from a failing program while it still fails. */
final class Shrinker {

    /** The index of the started thread. */
    private static final Local THREAD = new Local(-1, SmallProgram.Type.NODE);

    private Shrinker() {}

    static SmallProgram shrink(SmallProgram program, Predicate<SmallProgram> isWrong) {
        SmallProgram smallest = program;
        boolean more = true;
        while (more) {
            more = false;
            for (SmallProgram smaller : smaller(smallest)) {
                if (isWrong.test(smaller)) {
                    smallest = smaller;
                    more = true;
                    break;
                }
            }
        }
        return withUsedFields(smallest);
    }

    /** The programs without one of the operations. */
    private static List<SmallProgram> smaller(SmallProgram program) {
        List<SmallProgram> all = new ArrayList<>();
        if (!program.end().isEmpty()) {
            all.add(program.withEnd(List.of()));
        }
        for (int i = 0; i < program.actors().size(); i++) {
            if (program.actors().size() > 1) {
                List<List<Op>> fewer = new ArrayList<>(program.actors());
                fewer.remove(i);
                all.add(program.withActors(fewer));
            }
            for (List<Op> shorter : shorter(program.actors().get(i))) {
                List<List<Op>> changed = new ArrayList<>(program.actors());
                changed.set(i, shorter);
                all.add(program.withActors(changed));
            }
        }
        for (List<Op> shorter : shorter(program.end())) {
            all.add(program.withEnd(shorter));
        }
        return all;
    }

    private static List<List<Op>> shorter(List<Op> ops) {
        List<List<Op>> all = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            List<Op> without = new ArrayList<>(ops);
            without.remove(i);
            all.add(defined(without, new HashSet<>()));
            for (List<Op> body : shorter(SmallProgram.body(ops.get(i)))) {
                List<Op> changed = new ArrayList<>(ops);
                changed.set(i, SmallProgram.withBody(ops.get(i), body));
                all.add(changed);
            }
            if (ops.get(i) instanceof Locked block) {
                List<Op> changed = new ArrayList<>(ops);
                changed.remove(i);
                changed.addAll(i, block.body());
                all.add(defined(changed, new HashSet<>()));
            }
        }
        return all;
    }

    /** The operations whose local variables are still written. */
    private static List<Op> defined(List<Op> ops, Set<Local> outer) {
        Set<Local> known = new HashSet<>(outer);
        List<Op> kept = new ArrayList<>();
        for (Op op : ops) {
            if (!known.containsAll(used(op))) {
                continue;
            }
            Set<Local> inner = op instanceof Start start ? used(start).stream().collect(Collectors.toSet()) : known;
            kept.add(SmallProgram.withBody(op, defined(SmallProgram.body(op), inner)));
            Local to = op instanceof New made
                    ? made.to()
                    : op instanceof Load load
                            ? load.to()
                            : op instanceof Update update
                                    ? update.to()
                                    : op instanceof Await await
                                            ? await.load().to()
                                            : op instanceof CopyOf copy
                                                    ? copy.to()
                                                    : op instanceof CloneOf clone
                                                            ? clone.to()
                                                            : op instanceof Start ? THREAD : null;
            if (to != null) {
                known.add(to);
            }
        }
        return kept;
    }

    private static List<Local> used(Op op) {
        Stream<Operand> operands = op instanceof Load load
                ? Stream.of(base(load.from()))
                : op instanceof Store store
                        ? Stream.of(base(store.to()), store.value())
                        : op instanceof Update update
                                ? Stream.of(base(update.place()), update.expected(), update.value())
                                : op instanceof IfSome block
                                        ? Stream.of(block.tested())
                                        : op instanceof Locked block
                                                ? Stream.of(block.monitor())
                                                : op instanceof Await await
                                                        ? Stream.of(base(
                                                                await.load().from()))
                                                        : op instanceof CopyOf copy
                                                                ? Stream.of(copy.from())
                                                                : op instanceof Start start
                                                                        ? Stream.of(start.captured())
                                                                        : op instanceof Join
                                                                                ? Stream.of(THREAD)
                                                                                : op instanceof CloneOf clone
                                                                                        ? Stream.of(clone.from())
                                                                                        : op instanceof CopyTo copy
                                                                                                ? Stream.of(
                                                                                                        copy.from(),
                                                                                                        copy.to())
                                                                                                : Stream.empty();
        return operands.filter(Local.class::isInstance).map(Local.class::cast).toList();
    }

    private static Operand base(Place place) {
        return place.base() == null ? new SmallProgram.Null() : place.base();
    }

    private static SmallProgram withUsedFields(SmallProgram program) {
        String text = program.toString();
        Set<String> words =
                new HashSet<>(List.of(text.substring(text.indexOf("@Actor")).split("\\W+")));
        return new SmallProgram(
                program.fields().stream()
                        .filter(field -> field.equals(Interpreter.first(program))
                                || words.contains(field.name())
                                || words.contains(new Place(null, field, 0).handle()))
                        .toList(),
                program.tellsObjects(),
                program.actors(),
                program.end());
    }
}
