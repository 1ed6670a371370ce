package io.weir.jms.selector;

/**
 * One message during a match: identifiers are loaded, one at a time; each load sets the kind here and returns the value
 * as bits, so that no number is boxed. Confined to one match at a time.
 */
abstract class Row {
    static final int NULL = 0;
    /** The bits are the number. */
    static final int EXACT = 1;
    /** The bits are {@code Double.doubleToRawLongBits}. */
    static final int APPROXIMATE = 2;
    /** The bits are 1 or 0. */
    static final int BOOLEAN = 3;
    /** The text is {@link #text()} until the next load. */
    static final int STRING = 4;

    /** The kind of the value loaded or evaluated last. */
    int kind;

    /** Loads an identifier's value; sets {@link #kind}. */
    abstract long load(Identifier identifier);

    /** Loads a literal. */
    abstract void load(Literal literal);

    /** The text loaded last. */
    abstract String text();

    /** Whether the text loaded last equals the literal. */
    abstract boolean textIs(Literal literal);

    final long exact(long value) {
        kind = EXACT;
        return value;
    }

    final long approximate(double value) {
        kind = APPROXIMATE;
        return Double.doubleToRawLongBits(value);
    }

    final long bool(boolean value) {
        kind = BOOLEAN;
        return value ? 1 : 0;
    }

    final long nothing() {
        kind = NULL;
        return 0;
    }
}
