package io.weir.proxy.program.match;

import java.util.BitSet;
import java.util.List;

/** A parsed pattern over bytes. Immutable. */
sealed interface PatternNode {
    /** One byte out of a set; the set is not to be written. */
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

        /** The byte when there is exactly one, else -1. */
        int single() {
            return bytes.cardinality() == 1 ? bytes.nextSetBit(0) : -1;
        }
    }

    /** One after the other; none: the empty text. */
    record Sequence(List<PatternNode> parts) implements PatternNode {}

    /** One of several. */
    record Choice(List<PatternNode> branches) implements PatternNode {}

    /** Repeated; {@code max} -1: without bound. */
    record Repeat(PatternNode part, int min, int max) implements PatternNode {}
}
