package io.weir.lab.model;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A consumer, as its client and the books see it. Confined to its session. */
final class PeerConsumer {
    final PeerSession session;
    final int number;
    /** Of a named subscription it is known once the broker has read the request. */
    Place place;

    final Choice choice;
    final boolean pushed;
    /** The subscription's name, where it has one. */
    final @Nullable Slot slot;

    /** What arrived for a synchronous one and was not taken. */
    final ArrayDeque<Arrival> buffer = new ArrayDeque<>();

    /** The broker said that it is open. */
    boolean open;
    /** The client closes it, or something else does: it takes nothing for certain. */
    boolean closing;

    boolean closed;

    @Nullable
    Receipt receiving;

    /** What it asked of a named subscription. */
    Slot.@Nullable Terms terms;

    /** The broker has to refuse it; why. */
    String mustFail = "";

    /** It may refuse it. */
    boolean mayFail;

    /** The number of the last message of each producer and priority that came to it, of those that came once. */
    final Map<String, Integer> last = new HashMap<>();

    PeerConsumer(PeerSession session, int number, Place place, Choice choice, boolean pushed, @Nullable Slot slot) {
        this.session = session;
        this.number = number;
        this.place = place;
        this.choice = choice;
        this.pushed = pushed;
        this.slot = slot;
    }

    boolean wants(Letter l) {
        return choice.wants(l);
    }

    /** It is on its way out: its groups go to others. */
    void closing() {
        closing = true;
        place.leave(this);
        if (slot != null) {
            slot.leaving();
        }
    }

    /** It is gone. */
    void close() {
        closing();
        closed = true;
        if (slot != null) {
            slot.consumers.remove(this);
            if (slot.consumers.isEmpty() && !slot.key.durable()) {
                place.closed = true;
                if (slot.current == place) {
                    slot.current = null;
                    slot.terms = null;
                }
            }
        } else if (place.topic != null) {
            place.closed = true;
        }
        if (place.closed) {
            place.copies.values().stream()
                    .filter(c -> !c.isGone() && c.isFree() && !session.books().mayHaveLeft(c))
                    .forEach(c -> c.gone("its subscription ended", true));
        }
    }

    @Override
    public String toString() {
        return session + ".c" + number + " of " + place;
    }
}
