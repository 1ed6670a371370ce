package io.weir.wire.invoke.codec;

/** The limits while encoding or decoding one value: nesting depth and number of elements. One thread, one value. */
public final class Pass {
    /** Maximum nesting depth of records, collections, arrays and optionals. */
    static final int DEEPEST = 64;

    /** Maximum of elements of all collections, maps and arrays of references of one call together. */
    static final int MOST_ELEMENTS = 1_000_000;

    /**
     * Maximum of elements of one set or keys of one map: with equal hashes, the cost of each grows with the number
     * before it.
     */
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
            throw new CodecFault(n + " elements of a set or map, the maximum is " + MOST_KEYS);
        }
    }
}
