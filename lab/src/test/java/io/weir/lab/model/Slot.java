package io.weir.lab.model;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A name that subscriptions may have, and the one that has it. Confined to the books. */
final class Slot {
    /** Who may use the name. */
    record Key(@Nullable String clientId, String name, boolean durable) {
        @Override
        public String toString() {
            return (durable ? "durable " : "shared ") + (clientId == null ? "" : clientId) + "|" + name;
        }
    }

    /** What its consumers agree on. */
    record Terms(String topic, Choice choice, boolean shared) {}

    final Key key;

    @Nullable
    Place current;

    @Nullable
    Terms terms;

    /** Takes the place of the current one once the broker says so. */
    @Nullable
    Place fresh;

    @Nullable
    Terms freshTerms;

    /** An unsubscribe is under way. */
    boolean removing;
    /** Whose request about it is not answered. */
    @Nullable
    Peer user;

    /** Why an unsubscribe must be refused, or nothing. */
    String mustStay = "";
    /** It may be refused. */
    boolean mayStay;
    /** An unsubscribe is not answered. */
    boolean asked;

    /**
     * What was refused because a write failed: until the journal has written again, a death may show that the disk has it.
     * One with no terms is the end of the subscription.
     */
    final List<Refused> refused = new ArrayList<>();

    /** A change that the disk may have all the same. */
    record Refused(@Nullable Place fresh, @Nullable Terms terms) {}

    final Set<PeerConsumer> consumers = new LinkedHashSet<>();
    int incarnations;

    Slot(Key key) {
        this.key = key;
    }

    boolean isCertain() {
        return fresh == null && !removing && user == null;
    }

    /**
     * A consumer closes. An unsubscribe that is not answered may come after it: the broker looks for messages at sessions before
     * it counts consumers.
     */
    void leaving() {
        if (asked && current != null && consumers.stream().allMatch(c -> c.closing)) {
            mustStay = "";
            removing = true;
        }
    }

    /** A new incarnation. */
    Place incarnation(Terms t) {
        return new Place(key + "#" + ++incarnations, t.topic(), t.choice(), key.durable());
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
