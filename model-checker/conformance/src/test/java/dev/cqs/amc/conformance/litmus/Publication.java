package dev.cqs.amc.conformance.litmus;

import dev.cqs.amc.Actor;
import dev.cqs.amc.RacyAllowed;
import dev.cqs.amc.Verdict;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Publication of objects to other threads. A racy field is opaque here, and so is the racy reference by which an object
 * is published.
 *
 * <p>Left out: a list whose size decreases between two reads. Only plain reads allow that, and they race.
 */
final class Publication {

    private Publication() {}

    static List<LitmusCase> cases() {
        return List.of(
                LitmusCase.wrong(
                        "an object handed over by a race races in its fields", PlainFields.class, Verdict.DATA_RACE),
                LitmusCase.that("an object handed over by a race may be seen in parts", RacyFields.class)
                        .ordinary("-1", "1234")
                        .weak(parts())
                        .never("1", "4321"),
                LitmusCase.that("final fields are seen in full", FinalFields.class)
                        .ordinary("-1", "1234")
                        .never(parts()),
                LitmusCase.that("a cache that reads once is benign", Cache.class)
                        .ordinary("42 42")
                        .never("-1 42", "42 -1", "0 42"),
                LitmusCase.wrong("a plain cache is a race all the same", PlainCache.class, Verdict.DATA_RACE),
                LitmusCase.that("a cache of objects that are not final shows them in parts", UnsafeCache.class)
                        .ordinary("42 42")
                        .weak("0 42", "42 0")
                        .never("0 0"),
                LitmusCase.that("a cache that reads twice may lose the object", ForgetfulCache.class)
                        .ordinary("42 42", "-1 42", "42 -1", "-1 -1")
                        .never("0 42"),
                LitmusCase.wrong(
                        "a volatile reference to the holder does not help", MisplacedVolatile.class, Verdict.DATA_RACE),
                LitmusCase.that("a volatile reference to the holder does not order", MisplacedVolatileAllowed.class)
                        .ordinary("-1", "42")
                        .weak("0"),
                LitmusCase.that("a volatile reference in the holder does", PlacedVolatile.class)
                        .ordinary("-1", "42")
                        .never("0"),
                LitmusCase.wrong(
                        "a lock that only the writer takes does not help", LockedSetter.class, Verdict.DATA_RACE),
                LitmusCase.that("a lock that only the writer takes does not order", LockedSetterAllowed.class)
                        .ordinary("-1", "42")
                        .weak("0"),
                LitmusCase.that("a lock that both take does", LockedBoth.class)
                        .ordinary("-1", "42")
                        .never("0"),
                LitmusCase.wrong("a weak write to a strong reader races", WeakWriter.class, Verdict.DATA_RACE),
                LitmusCase.wrong("a strong write to a weak reader races", WeakReader.class, Verdict.DATA_RACE),
                LitmusCase.that("a weak write to a strong reader shows an object in parts", OpaqueWriter.class)
                        .ordinary("-1", "4")
                        .weak("0", "1", "2", "3"),
                LitmusCase.that("a strong write to a weak reader shows an object in parts", OpaqueReader.class)
                        .ordinary("-1", "4")
                        .weak("0", "1", "2", "3"),
                LitmusCase.that("a strong write to a strong reader shows all of it", StrongBoth.class)
                        .ordinary("-1", "4")
                        .never("0", "1", "2", "3"),
                LitmusCase.that("what is added after publication may be seen late or in parts", LateAddition.class)
                        .ordinary("-1", "-2", "42")
                        .weak("-3"),
                LitmusCase.wrong(
                        "what is added plainly after publication races", PlainLateAddition.class, Verdict.DATA_RACE),
                LitmusCase.that("a volatile field is not final", VolatileField.class)
                        .ordinary("-1", "42")
                        .weak("0"),
                LitmusCase.that("an atomic number is not final either", AtomicField.class)
                        .ordinary("-1", "42")
                        .weak("0"),
                LitmusCase.wrong("an atomic number handed over plainly races", PlainAtomic.class, Verdict.DATA_RACE));
    }

    /** The partial reads of an object with the fields 1, 2, 3, 4. */
    private static Set<List<Long>> parts() {
        Set<List<Long>> parts = new LinkedHashSet<>();
        for (int i = 0; i < 15; i++) {
            parts.add(List.of((i >> 3) * 1000L + (i >> 2 & 1) * 200 + (i >> 1 & 1) * 30 + (i & 1) * 4));
        }
        return parts;
    }

    static class Plain {
        int one;
        int two;
        int three;
        int four;

        Plain(int number) {
            one = number;
            two = one + number;
            three = two + number;
            four = three + number;
        }

        int digits() {
            return 1000 * one + 100 * two + 10 * three + four;
        }
    }

    static class Racy {
        @RacyAllowed
        int one;

        @RacyAllowed
        int two;

        @RacyAllowed
        int three;

        @RacyAllowed
        int four;

        Racy(int number) {
            one = number;
            two = one + number;
            three = two + number;
            four = three + number;
        }

        int digits() {
            return 1000 * one + 100 * two + 10 * three + four;
        }

        /** The number of fields that are read as initialized. */
        int seen() {
            return one + two / 2 + three / 3 + four / 4;
        }
    }

    static class Final {
        final int one;
        final int two;
        final int three;
        final int four;

        Final(int number) {
            one = number;
            two = one + number;
            three = two + number;
            four = three + number;
        }

        int digits() {
            return 1000 * one + 100 * two + 10 * three + four;
        }
    }

    static class PlainFields {
        @RacyAllowed
        Plain object;

        @Actor
        int reader() {
            Plain seen = object;
            return seen == null ? -1 : seen.digits();
        }

        @Actor
        void writer() {
            object = new Plain(1);
        }
    }

    static class RacyFields {
        @RacyAllowed
        Racy object;

        @Actor
        int reader() {
            Racy seen = object;
            return seen == null ? -1 : seen.digits();
        }

        @Actor
        void writer() {
            object = new Racy(1);
        }
    }

    static class FinalFields {
        @RacyAllowed
        Final object;

        @Actor
        int reader() {
            Final seen = object;
            return seen == null ? -1 : seen.digits();
        }

        @Actor
        void writer() {
            object = new Final(1);
        }
    }

    static class Answer {
        final int number;

        Answer(int number) {
            this.number = number;
        }
    }

    static class RacyAnswer {
        @RacyAllowed
        int number;

        RacyAnswer(int number) {
            this.number = number;
        }
    }

    static class Cache {
        @RacyAllowed
        Answer answer;

        private Answer get() {
            Answer seen = answer;
            if (seen == null) {
                seen = new Answer(42);
                answer = seen;
            }
            return seen;
        }

        @Actor(2)
        int asks() {
            Answer got = get();
            return got == null ? -1 : got.number;
        }

        @Actor
        void forgets() {
            answer = null;
        }
    }

    static class PlainCache {
        Answer answer;

        @Actor(2)
        int asks() {
            Answer seen = answer;
            if (seen == null) {
                seen = new Answer(42);
                answer = seen;
            }
            return seen.number;
        }
    }

    static class UnsafeCache {
        @RacyAllowed
        RacyAnswer answer;

        private RacyAnswer get() {
            RacyAnswer seen = answer;
            if (seen == null) {
                seen = new RacyAnswer(42);
                answer = seen;
            }
            return seen;
        }

        @Actor(2)
        int asks() {
            RacyAnswer got = get();
            return got == null ? -1 : got.number;
        }

        @Actor
        void forgets() {
            answer = null;
        }
    }

    static class ForgetfulCache {
        @RacyAllowed
        Answer answer;

        private Answer get() {
            if (answer == null) {
                answer = new Answer(42);
            }
            return answer;
        }

        @Actor(2)
        int asks() {
            Answer got = get();
            return got == null ? -1 : got.number;
        }

        @Actor
        void forgets() {
            answer = null;
        }
    }

    static class Value {
        int number;

        Value(int number) {
            this.number = number;
        }
    }

    static class Holder {
        Value value = new Value(-1);
    }

    static class RacyHolder {
        @RacyAllowed
        RacyAnswer value = new RacyAnswer(-1);
    }

    static class VolatileHolder {
        volatile Value value = new Value(-1);
    }

    static class MisplacedVolatile {
        volatile Holder holder = new Holder();

        @Actor
        int reader() {
            return holder.value.number;
        }

        @Actor
        void writer() {
            holder.value = new Value(42);
        }
    }

    static class MisplacedVolatileAllowed {
        volatile RacyHolder holder = new RacyHolder();

        @Actor
        int reader() {
            return holder.value.number;
        }

        @Actor
        void writer() {
            holder.value = new RacyAnswer(42);
        }
    }

    static class PlacedVolatile {
        VolatileHolder holder = new VolatileHolder();

        @Actor
        int reader() {
            return holder.value.number;
        }

        @Actor
        void writer() {
            holder.value = new Value(42);
        }
    }

    static class LockedSetter {
        Value value = new Value(-1);

        @Actor
        int reader() {
            return value.number;
        }

        @Actor
        void writer() {
            Value made = new Value(42);
            synchronized (this) {
                value = made;
            }
        }
    }

    static class LockedSetterAllowed {
        @RacyAllowed
        RacyAnswer value = new RacyAnswer(-1);

        @Actor
        int reader() {
            return value.number;
        }

        @Actor
        synchronized void writer() {
            value = new RacyAnswer(42);
        }
    }

    static class LockedBoth {
        Value value = new Value(-1);

        private synchronized Value get() {
            return value;
        }

        private synchronized void set(Value value) {
            this.value = value;
        }

        @Actor
        int reader() {
            return get().number;
        }

        @Actor
        void writer() {
            set(new Value(42));
        }
    }

    static class WeakWriter extends ReferenceOf<Plain> {
        @Actor
        int reader() {
            Plain seen = (Plain) REFERENCE.getVolatile(this);
            return seen == null ? -1 : seen.digits();
        }

        @Actor
        void writer() {
            REFERENCE.set(this, new Plain(1));
        }
    }

    static class WeakReader extends ReferenceOf<Plain> {
        @Actor
        int reader() {
            Plain seen = (Plain) REFERENCE.get(this);
            return seen == null ? -1 : seen.digits();
        }

        @Actor
        void writer() {
            REFERENCE.setVolatile(this, new Plain(1));
        }
    }

    static class OpaqueWriter extends ReferenceOf<Racy> {
        @Actor
        int reader() {
            Racy seen = (Racy) REFERENCE.getVolatile(this);
            return seen == null ? -1 : seen.seen();
        }

        @Actor
        void writer() {
            REFERENCE.setOpaque(this, new Racy(1));
        }
    }

    static class OpaqueReader extends ReferenceOf<Racy> {
        @Actor
        int reader() {
            Racy seen = (Racy) REFERENCE.getOpaque(this);
            return seen == null ? -1 : seen.seen();
        }

        @Actor
        void writer() {
            REFERENCE.setVolatile(this, new Racy(1));
        }
    }

    static class StrongBoth {
        volatile Plain object;

        @Actor
        int reader() {
            Plain seen = object;
            return seen == null ? -1 : seen.one + seen.two / 2 + seen.three / 3 + seen.four / 4;
        }

        @Actor
        void writer() {
            object = new Plain(1);
        }
    }

    static class ShortList {
        @RacyAllowed
        int first;

        @RacyAllowed
        int size;

        void add(int number) {
            first = number;
            size = 1;
        }

        /** -2: it is empty; -3: its size is not 0, but its element is missing. */
        int look() {
            if (size == 0) {
                return -2;
            }
            int seen = first;
            return seen == 0 ? -3 : seen;
        }
    }

    static class LateAddition {
        volatile ShortList list;

        @Actor
        int reader() {
            ShortList seen = list;
            return seen == null ? -1 : seen.look();
        }

        @Actor
        void writer() {
            ShortList made = new ShortList();
            list = made;
            made.add(42);
        }
    }

    static class PlainLateAddition {
        volatile Holder holder;

        @Actor
        int reader() {
            Holder seen = holder;
            return seen == null ? -1 : seen.value.number;
        }

        @Actor
        void writer() {
            Holder made = new Holder();
            holder = made;
            made.value = new Value(42);
        }
    }

    static class Strong {
        volatile int number;

        Strong() {
            number = 42;
        }
    }

    static class VolatileField {
        @RacyAllowed
        Strong object;

        @Actor
        int reader() {
            Strong seen = object;
            return seen == null ? -1 : seen.number;
        }

        @Actor
        void writer() {
            object = new Strong();
        }
    }

    static class AtomicField {
        @RacyAllowed
        AtomicInteger number;

        @Actor
        int reader() {
            AtomicInteger seen = number;
            return seen == null ? -1 : seen.get();
        }

        @Actor
        void writer() {
            number = new AtomicInteger(42);
        }
    }

    static class PlainAtomic {
        AtomicInteger number;

        @Actor
        int reader() {
            AtomicInteger seen = number;
            return seen == null ? -1 : seen.get();
        }

        @Actor
        void writer() {
            number = new AtomicInteger(42);
        }
    }
}
