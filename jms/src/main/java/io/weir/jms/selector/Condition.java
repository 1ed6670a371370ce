package io.weir.jms.selector;

import java.util.List;
import java.util.Set;

/** A part of a selector that is true, false or unknown for a message. Immutable. */
sealed interface Condition extends Node {
    int FALSE = 0;
    int TRUE = 1;
    int UNKNOWN = 2;

    int test(Row row);

    static int of(boolean truth) {
        return truth ? TRUE : FALSE;
    }

    /** A literal TRUE or FALSE. */
    record Constant(boolean value) implements Condition {
        @Override
        public int test(Row row) {
            return of(value);
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** A property alone: true if it is the boolean true, unknown if it is null, else false. */
    record Flag(Identifier identifier) implements Condition {
        @Override
        public int test(Row row) {
            long bits = row.load(identifier);
            return row.kind == Row.NULL ? UNKNOWN : of(row.kind == Row.BOOLEAN && bits == 1);
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** True if all are true, false if one is false. */
    record And(List<Condition> all, int depth) implements Condition {
        @Override
        public int test(Row row) {
            int result = TRUE;
            for (int i = 0; i < all.size(); i++) {
                int one = all.get(i).test(row);
                if (one == FALSE) {
                    return FALSE;
                }
                result = one == UNKNOWN ? UNKNOWN : result;
            }
            return result;
        }
    }

    /** True if one is true, false if all are false. */
    record Or(List<Condition> all, int depth) implements Condition {
        @Override
        public int test(Row row) {
            int result = FALSE;
            for (int i = 0; i < all.size(); i++) {
                int one = all.get(i).test(row);
                if (one == TRUE) {
                    return TRUE;
                }
                result = one == UNKNOWN ? UNKNOWN : result;
            }
            return result;
        }
    }

    /** Unknown stays unknown. */
    record Not(Condition condition, int depth) implements Condition {
        @Override
        public int test(Row row) {
            int truth = condition.test(row);
            return truth == UNKNOWN ? UNKNOWN : TRUE - truth;
        }
    }

    /** {@code identifier = 'text'} or {@code <>}; false both for another type. */
    record TextComparison(Identifier identifier, Literal literal, boolean equal) implements Condition {
        @Override
        public int test(Row row) {
            row.load(identifier);
            return switch (row.kind) {
                case Row.NULL -> UNKNOWN;
                case Row.STRING -> of(row.textIs(literal) == equal);
                default -> FALSE;
            };
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** Compares two values; values of different types are neither equal, unequal, less nor greater. */
    record Comparison(Comparator operator, Value left, Value right, int depth) implements Condition {
        @Override
        public int test(Row row) {
            long a = left.of(row);
            int kind = row.kind;
            String text = kind == Row.STRING ? row.text() : "";
            long b = right.of(row);
            if (kind == Row.NULL || row.kind == Row.NULL) {
                return UNKNOWN;
            }
            if (Value.number(kind) && Value.number(row.kind)) {
                boolean exact = kind == Row.EXACT && row.kind == Row.EXACT;
                return of(exact ? operator.holds(a, b) : operator.holds(Value.real(kind, a), Value.real(row.kind, b)));
            }
            if (kind != row.kind || !operator.equality()) {
                return FALSE;
            }
            boolean same = kind == Row.STRING ? text.equals(row.text()) : a == b;
            return of(same == (operator == Comparator.EQUAL));
        }
    }

    /**
     * {@code identifier IN ('a', 'b')} or {@code NOT IN}; false both for another type than a string, as section 3.8.1.2
     * specifies.
     */
    record In(Identifier identifier, List<Literal> literals, Set<String> texts, boolean negated) implements Condition {
        /** Up to this many are compared in place, one by one. */
        private static final int FEW = 16;

        @Override
        public int test(Row row) {
            row.load(identifier);
            return switch (row.kind) {
                case Row.NULL -> UNKNOWN;
                case Row.STRING -> of((literals.size() <= FEW ? oneOf(row) : texts.contains(row.text())) != negated);
                default -> FALSE;
            };
        }

        private boolean oneOf(Row row) {
            for (int i = 0; i < literals.size(); i++) {
                if (row.textIs(literals.get(i))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** {@code identifier LIKE 'pattern'} or {@code NOT LIKE}; false both for another type than a string. */
    record Like(Identifier identifier, LikePattern pattern, boolean negated) implements Condition {
        @Override
        public int test(Row row) {
            row.load(identifier);
            return switch (row.kind) {
                case Row.NULL -> UNKNOWN;
                case Row.STRING -> of(pattern.matches(row.text()) != negated);
                default -> FALSE;
            };
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** {@code identifier IS NULL}. */
    record IsNull(Identifier identifier) implements Condition {
        @Override
        public int test(Row row) {
            row.load(identifier);
            return of(row.kind == Row.NULL);
        }

        @Override
        public int depth() {
            return 1;
        }
    }
}
