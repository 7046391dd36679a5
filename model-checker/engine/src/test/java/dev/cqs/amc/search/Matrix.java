package dev.cqs.amc.search;

import java.util.function.IntPredicate;

/** A relation over fewer than 32 events, for {@link NaiveEnumerator}, so that axioms read as in papers. */
record Matrix(int[] rows) {

    static Matrix empty(int size) {
        return new Matrix(new int[size]);
    }

    /** The identity on the events that satisfy {@code condition}. */
    static Matrix on(int size, IntPredicate condition) {
        Matrix result = empty(size);
        for (int i = 0; i < size; i++) {
            if (condition.test(i)) {
                result.add(i, i);
            }
        }
        return result;
    }

    void add(int from, int to) {
        rows[from] |= 1 << to;
    }

    boolean has(int from, int to) {
        return (rows[from] & 1 << to) != 0;
    }

    Matrix or(Matrix other) {
        int[] result = rows.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] |= other.rows[i];
        }
        return new Matrix(result);
    }

    Matrix and(Matrix other) {
        int[] result = rows.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] &= other.rows[i];
        }
        return new Matrix(result);
    }

    Matrix minus(Matrix other) {
        int[] result = rows.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] &= ~other.rows[i];
        }
        return new Matrix(result);
    }

    /** Composition. */
    Matrix then(Matrix other) {
        int[] result = new int[rows.length];
        for (int i = 0; i < result.length; i++) {
            for (int left = rows[i]; left != 0; left &= left - 1) {
                result[i] |= other.rows[Integer.numberOfTrailingZeros(left)];
            }
        }
        return new Matrix(result);
    }

    /** The reflexive closure. */
    Matrix maybe() {
        return or(on(rows.length, i -> true));
    }

    Matrix inverse() {
        Matrix result = empty(rows.length);
        for (int i = 0; i < rows.length; i++) {
            for (int k = 0; k < rows.length; k++) {
                if (has(i, k)) {
                    result.add(k, i);
                }
            }
        }
        return result;
    }

    /** Transitive closure. */
    Matrix plus() {
        int[] result = rows.clone();
        for (int k = 0; k < result.length; k++) {
            for (int i = 0; i < result.length; i++) {
                if ((result[i] & 1 << k) != 0) {
                    result[i] |= result[k];
                }
            }
        }
        return new Matrix(result);
    }

    boolean irreflexive() {
        for (int i = 0; i < rows.length; i++) {
            if (has(i, i)) {
                return false;
            }
        }
        return true;
    }

    boolean acyclic() {
        return plus().irreflexive();
    }

    boolean isEmpty() {
        for (int row : rows) {
            if (row != 0) {
                return false;
            }
        }
        return true;
    }
}
