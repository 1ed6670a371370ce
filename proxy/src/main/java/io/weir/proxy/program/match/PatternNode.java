package io.weir.proxy.program.match;

import java.util.BitSet;
import java.util.List;

/** A parsed pattern over bytes. Immutable. */
sealed interface PatternNode {
    /** One byte out of a set; the set must not be modified. */
    record One(BitSet bytes) implements PatternNode {
        static One of(int b) {
            BitSet set = new BitSet(256);
            set.set(b);
            return new One(set);
        }

        static One any() {
            BitSet set = new BitSet(256);
            set.set(0, 256);
            return new One(set);
        }

        /** The byte if there is exactly one, else -1. */
        int single() {
            return bytes.cardinality() == 1 ? bytes.nextSetBit(0) : -1;
        }
    }

    /** A concatenation; without parts: the empty text. */
    record Sequence(List<PatternNode> parts) implements PatternNode {}

    /** An alternation. */
    record Choice(List<PatternNode> branches) implements PatternNode {}

    /** Repeated; {@code max} -1: without bound. */
    record Repeat(PatternNode part, int min, int max) implements PatternNode {}
}
