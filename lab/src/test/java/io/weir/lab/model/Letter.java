package io.weir.lab.model;

import org.jspecify.annotations.Nullable;

/** A message that a simulated client made. Its content is immutable, its fate the books'. */
final class Letter {
    final int number;
    final String to;
    final boolean topic;
    /** Who sent it: in the order of one producer messages arrive in order. */
    final PeerSession producer;

    int n;
    String colour = "red";
    int priority = 4;
    boolean persistent;
    /** Milliseconds since 1970; 0 for at once. */
    long deliveryTime;
    /** Milliseconds since 1970; 0 for never. */
    long expiration;

    @Nullable
    String group;

    /** The transaction that it belongs to. */
    @Nullable
    Deal deal;

    /** Its send was read and not answered: it may wait for room. */
    boolean waits;
    /** Its sender was told that it is there. */
    boolean granted;
    /** The broker has read it. */
    boolean arrived;
    /** Nothing of it is on its way within the broker any more. */
    boolean settled;
    /** It was moved: it has no order any more. */
    boolean disordered;

    Letter(int number, String to, boolean topic, PeerSession producer) {
        this.number = number;
        this.to = to;
        this.topic = topic;
        this.producer = producer;
    }

    /** Its text, by which it is known again. */
    String body() {
        return "m" + number;
    }

    @Override
    public String toString() {
        return body();
    }
}
