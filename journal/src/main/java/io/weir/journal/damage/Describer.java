package io.weir.journal.damage;

import java.nio.ByteBuffer;

/**
 * Describes a journal's entries for reports of damage. The payload may be damaged: implementations describe what is
 * readable. Stateless, and shared: called by the opening thread and the journal's.
 */
public interface Describer {
    /** Knows only the numbers of types. */
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

    /** Names an entry. */
    String name(int type, ByteBuffer payload);

    /** Describes the loss of an entry. */
    String loss(int type, ByteBuffer payload);
}
