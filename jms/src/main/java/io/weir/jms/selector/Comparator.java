package io.weir.jms.selector;

/** The comparison operators, by Java's rules for numbers. Immutable. */
enum Comparator {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String sign;

    Comparator(String sign) {
        this.sign = sign;
    }

    /** Its form in selectors. */
    String sign() {
        return sign;
    }

    /** Whether strings and booleans can be compared by it. */
    boolean equality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    boolean holds(long a, long b) {
        return switch (this) {
            case EQUAL -> a == b;
            case NOT_EQUAL -> a != b;
            case LESS -> a < b;
            case LESS_OR_EQUAL -> a <= b;
            case GREATER -> a > b;
            case GREATER_OR_EQUAL -> a >= b;
        };
    }

    boolean holds(double a, double b) {
        return switch (this) {
            case EQUAL -> a == b;
            case NOT_EQUAL -> a != b;
            case LESS -> a < b;
            case LESS_OR_EQUAL -> a <= b;
            case GREATER -> a > b;
            case GREATER_OR_EQUAL -> a >= b;
        };
    }
}
