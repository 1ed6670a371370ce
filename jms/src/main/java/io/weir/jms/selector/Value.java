package io.weir.jms.selector;

/** An expression with a value. Immutable. */
sealed interface Value extends Node {
    /** Returns the bits of the value; sets its kind, and the text of a string, in the row. */
    long of(Row row);

    /** Its type as known at parse time. */
    Type type();

    /** Whether it can be a number. */
    default boolean maybeNumber() {
        return type() == Type.NUMBER || type() == Type.ANY;
    }

    /** Types that can be compared with themselves only. */
    enum Type {
        NUMBER("number"),
        STRING("string"),
        BOOLEAN("boolean"),
        /** A property or header field, whose type depends on the message. */
        ANY("value");

        final String words;

        Type(String words) {
            this.words = words;
        }
    }

    /** A header field or a property. */
    record Named(Identifier identifier) implements Value {
        @Override
        public long of(Row row) {
            return row.load(identifier);
        }

        @Override
        public Type type() {
            return Type.ANY;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** A string literal. */
    record Text(Literal literal) implements Value {
        @Override
        public long of(Row row) {
            row.load(literal);
            return 0;
        }

        @Override
        public Type type() {
            return Type.STRING;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** An exact literal. */
    record Exact(long value) implements Value {
        @Override
        public long of(Row row) {
            return row.exact(value);
        }

        @Override
        public Type type() {
            return Type.NUMBER;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** An approximate literal. */
    record Approximate(double value) implements Value {
        @Override
        public long of(Row row) {
            return row.approximate(value);
        }

        @Override
        public Type type() {
            return Type.NUMBER;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** A condition, compared as a boolean. */
    record Truth(Condition condition) implements Value {
        @Override
        public long of(Row row) {
            int truth = condition.test(row);
            return truth == Condition.UNKNOWN ? row.nothing() : row.bool(truth == Condition.TRUE);
        }

        @Override
        public Type type() {
            return Type.BOOLEAN;
        }

        @Override
        public int depth() {
            return 1 + condition.depth();
        }
    }

    /** A negated number. */
    record Negated(Value operand, int depth) implements Value {
        @Override
        public long of(Row row) {
            long bits = operand.of(row);
            return switch (row.kind) {
                case Row.EXACT -> -bits;
                case Row.APPROXIMATE -> row.approximate(-Double.longBitsToDouble(bits));
                default -> row.nothing();
            };
        }

        @Override
        public Type type() {
            return Type.NUMBER;
        }
    }

    /**
     * Two numbers and one of {@code + - * /}, by Java's promotion: exact as long, else double. Null if an operand is
     * null or not a number, and for an exact division by zero.
     */
    record Arithmetic(char operator, Value left, Value right, int depth) implements Value {
        @Override
        public long of(Row row) {
            long a = left.of(row);
            int kindOfA = row.kind;
            long b = right.of(row);
            int kindOfB = row.kind;
            if (!number(kindOfA) || !number(kindOfB)) {
                return row.nothing();
            }
            if (kindOfA == Row.EXACT && kindOfB == Row.EXACT) {
                return exact(row, a, b);
            }
            return row.approximate(approximate(real(kindOfA, a), real(kindOfB, b)));
        }

        private long exact(Row row, long a, long b) {
            return switch (operator) {
                case '+' -> row.exact(a + b);
                case '-' -> row.exact(a - b);
                case '*' -> row.exact(a * b);
                default -> b == 0 ? row.nothing() : row.exact(a / b);
            };
        }

        private double approximate(double a, double b) {
            return switch (operator) {
                case '+' -> a + b;
                case '-' -> a - b;
                case '*' -> a * b;
                default -> a / b;
            };
        }

        @Override
        public Type type() {
            return Type.NUMBER;
        }
    }

    static boolean number(int kind) {
        return kind == Row.EXACT || kind == Row.APPROXIMATE;
    }

    static double real(int kind, long bits) {
        return kind == Row.EXACT ? (double) bits : Double.longBitsToDouble(bits);
    }
}
