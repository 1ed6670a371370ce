package io.weir.wire.invoke.codec;

/** The bounds of one value's writing or reading: how deep it is nested, how many elements it has. One thread, one value. */
public final class Pass {
    /** How deep records, collections, arrays and optionals may be nested in each other. */
    static final int DEEPEST = 64;

    /** Elements of all collections, maps and arrays of references of one call together. */
    static final int MOST_ELEMENTS = 1_000_000;

    /** Elements of one set or keys of one map: equal hashes make each cost as much as there are before it. */
    static final int MOST_KEYS = 65_536;

    private int depth;
    private int elements;

    void enter() {
        if (++depth > DEEPEST) {
            throw new CodecFault("values nested more than " + DEEPEST + " deep");
        }
    }

    void leave() {
        depth--;
    }

    void elements(int n) {
        elements += n;
        if (elements > MOST_ELEMENTS || elements < 0) {
            throw new CodecFault("more than " + MOST_ELEMENTS + " elements in one call");
        }
    }

    static void keys(int n) {
        if (n > MOST_KEYS) {
            throw new CodecFault(n + " elements of a set or map, the most allowed are " + MOST_KEYS);
        }
    }
}
