package io.weir.journal.damage;

import java.nio.ByteBuffer;

/**
 * Describes a journal's entries for reports of damage. The payload may be damaged: describes what can be read.
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
