package io.weir.journal.damage;

import java.nio.ByteBuffer;

/**
 * Says what a journal's entries are, for people who read of damage. The payload may be damaged: what can be read of it is said.
 * Stateless, and shared: called by the opening thread and the journal's.
 */
public interface Describer {
    /** Knows the types' numbers only. */
    Describer NONE = new Describer() {
        @Override
        public String name(int type, ByteBuffer payload) {
            return "entry of type " + type;
        }

        @Override
        public String loss(int type, ByteBuffer payload) {
            return name(type, payload) + " is lost";
        }
    };

    /** What it is. */
    String name(int type, ByteBuffer payload);

    /** What it means that it is lost. */
    String loss(int type, ByteBuffer payload);
}
