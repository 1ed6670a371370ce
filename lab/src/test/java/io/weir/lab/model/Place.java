package io.weir.lab.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where letters wait: a queue, or one incarnation of a subscription. Confined to the books. */
final class Place {
    final String name;
    /** The topic that it subscribes to; null for a queue. */
    final @Nullable String topic;

    final Choice choice;
    /** Whether persistent letters survive in it. */
    final boolean durable;

    final Map<String, Copy> copies = new LinkedHashMap<>();
    final List<PeerConsumer> consumers = new ArrayList<>();
    /** Who has which group. */
    final Map<String, GroupOwners> owners = new HashMap<>();

    /** Deliveries after which a letter is given up; -1 for none. */
    int limit = -1;
    /** Where it goes then, and when it expires; null: nowhere. */
    @Nullable
    String errors;

    /** Whether it exists for certain: the client was told so. */
    boolean established;
    /** Deleted, or its subscription is gone. */
    boolean closed;
    /** A consumer came to it. */
    boolean everConsumed;
    /** Consumers came or went since everything stood still: letters may go back and forth between them. */
    boolean crowded;

    /** It was paused, resumed, deleted or made while letters may have been on their way. */
    boolean changed;

    boolean productionPaused;
    boolean insertionPaused;
    boolean consumptionPaused;
    /** Paused and quiet: nothing is delivered from it. */
    boolean still;

    Place(String name, @Nullable String topic, Choice choice, boolean durable) {
        this.name = name;
        this.topic = topic;
        this.choice = choice;
        this.durable = durable;
    }

    static Place queue(String name) {
        Place p = new Place("queue/" + name, null, Choice.ALL, true);
        p.established = true;
        return p;
    }

    @Nullable
    Copy copy(String body) {
        return copies.get(body);
    }

    Copy put(Letter l, boolean isExpected) {
        Copy c = new Copy(l, this, isExpected);
        copies.put(l.body(), c);
        return c;
    }

    /** Letters are not delivered to this one any more. */
    void leave(PeerConsumer c) {
        consumers.remove(c);
        crowded = true;
        owners.values().forEach(o -> o.leave(c));
    }

    @Override
    public String toString() {
        return name;
    }
}
