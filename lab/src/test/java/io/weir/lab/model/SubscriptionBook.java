package io.weir.lab.model;

import io.weir.broker.SimulatedBroker;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who subscribes to what. Confined to the books. */
final class SubscriptionBook {
    private final Books books;
    private final Map<Slot.Key, Slot> slots = new LinkedHashMap<>();
    /** Subscriptions that only their consumer knows. */
    private final List<PeerConsumer> own = new ArrayList<>();

    SubscriptionBook(Books books) {
        this.books = books;
    }

    Slot slot(Slot.Key key) {
        return slots.computeIfAbsent(key, Slot::new);
    }

    /** Whether a request about a subscription is not answered. */
    boolean isBusy() {
        return slots.values().stream().anyMatch(s -> s.user != null);
    }

    List<Slot> slots() {
        return List.copyOf(slots.values());
    }

    /** Consumers with subscriptions of their own. */
    List<PeerConsumer> own() {
        own.removeIf(c -> c.closed);
        return List.copyOf(own);
    }

    /** All subscriptions that a topic may have. */
    List<Place> of(String topic) {
        List<Place> all = new ArrayList<>();
        for (Slot s : slots.values()) {
            for (Place p : new Place[] {s.current, s.fresh}) {
                if (p != null && topic.equals(p.topic) && !p.closed) {
                    all.add(p);
                }
            }
        }
        for (PeerConsumer c : own()) {
            if (topic.equals(c.place.topic) && !c.place.closed) {
                all.add(c.place);
            }
        }
        return all;
    }

    /** The broker reads a request for a consumer. */
    void opening(PeerConsumer c) {
        Slot slot = c.slot;
        if (slot != null) {
            join(c, slot);
        } else if (c.place.topic != null) {
            own.add(c);
            books.latecomer(c.place);
        } else {
            c.mustFail = c.place.closed ? "it was deleted" : "";
            c.mayFail = c.place.changed;
        }
        c.place.everConsumed = true;
        c.place.crowded = true;
    }

    private void join(PeerConsumer c, Slot slot) {
        Slot.Terms terms = Objects.requireNonNull(c.terms);
        Slot.Terms now = slot.terms;
        Place current = slot.current;
        if (current != null && now != null) {
            boolean same = now.equals(terms);
            if (now.shared() != terms.shared()) {
                c.mustFail = "shared and unshared do not mix";
            } else if (!slot.consumers.isEmpty() && !(same && terms.shared())) {
                c.mayFail = slot.consumers.stream().allMatch(o -> o.closing);
                c.mustFail = c.mayFail ? "" : "the name is in use by " + slot.consumers;
            }
            if (!c.mustFail.isEmpty()) {
                return;
            }
            if (same) {
                if (!slot.key.durable() && slot.consumers.stream().allMatch(o -> o.closing)) {
                    // it may have ended with them, and this be another one
                    current.copies.values().forEach(Copy::doubt);
                }
                c.place = current;
                slot.consumers.add(c);
                return;
            }
        }
        Place fresh = slot.incarnation(terms);
        slot.fresh = fresh;
        slot.freshTerms = terms;
        c.place = fresh;
        slot.consumers.add(c);
        books.latecomer(fresh);
    }

    void opened(PeerConsumer c) {
        if (!c.mustFail.isEmpty() && !isChanging(c)) {
            books.wrong(c + " was opened, though " + c.mustFail);
        }
        Slot slot = c.slot;
        if (slot != null) {
            slot.user = null;
            if (slot.fresh == c.place) {
                switched(slot, "subscription " + slot + " was replaced");
            }
        }
        c.place.established = true;
        if (!c.closing) {
            c.place.consumers.add(c);
        }
    }

    private void switched(Slot slot, String why) {
        Place old = slot.current;
        if (old != null) {
            close(old, why);
        }
        slot.current = slot.fresh;
        slot.terms = slot.freshTerms;
        slot.fresh = null;
        slot.freshTerms = null;
    }

    private void close(Place p, String why) {
        p.closed = true;
        for (Copy c : p.copies.values()) {
            if (c.isFree() && !c.isGone() && !books.mayHaveLeft(c)) {
                c.gone(why, true);
            }
        }
    }

    void notOpened(PeerConsumer c, RefusalCode code, String text) {
        if (c.mustFail.isEmpty() && !c.mayFail && !isChanging(c) && !books.mayRefuse(code)) {
            books.wrong(c + " was not opened: " + code + " " + text);
        }
        c.closed = true;
        Slot slot = c.slot;
        if (slot != null) {
            slot.user = null;
            slot.consumers.remove(c);
            if (slot.fresh == c.place) {
                close(c.place, "the subscription was refused");
                mayBeThere(slot, code, new Slot.Refused(c.place, slot.freshTerms));
                slot.fresh = null;
                slot.freshTerms = null;
            }
        } else if (c.place.topic != null) {
            close(c.place, "the consumer was refused");
        }
    }

    /** A queue is deleted or made while a consumer comes to it. */
    private static boolean isChanging(PeerConsumer c) {
        return c.place.topic == null && c.place.changed;
    }

    private static void mayBeThere(Slot slot, RefusalCode code, Slot.Refused what) {
        if (code == RefusalCode.STORE && slot.key.durable()) {
            slot.refused.add(what);
        }
    }

    /** The journal has written again: what a write failed for is not there. */
    void written() {
        slots.values().forEach(s -> s.refused.clear());
    }

    void removing(Slot slot) {
        Place current = slot.current;
        boolean leaving = slot.consumers.stream().allMatch(o -> o.closing);
        slot.mustStay = current == null ? "there is none" : leaving ? "" : "it has consumers";
        slot.mayStay = !slot.consumers.isEmpty()
                || (current != null && current.copies.values().stream().anyMatch(c -> !c.isGone() && c.holder != null));
        slot.removing = slot.mustStay.isEmpty();
        slot.asked = true;
    }

    void removed(Slot slot) {
        slot.user = null;
        slot.asked = false;
        slot.removing = false;
        if (!slot.mustStay.isEmpty()) {
            books.wrong(slot + " was unsubscribed, though " + slot.mustStay);
        }
        Place current = slot.current;
        if (current != null) {
            close(current, slot + " was unsubscribed");
        }
        slot.current = null;
        slot.terms = null;
    }

    void notRemoved(Slot slot, RefusalCode code, String text) {
        slot.user = null;
        slot.asked = false;
        slot.removing = false;
        if (slot.mustStay.isEmpty() && !slot.mayStay && !books.mayRefuse(code)) {
            books.wrong(slot + " was not unsubscribed: " + code + " " + text);
        }
        mayBeThere(slot, code, new Slot.Refused(null, null));
    }

    /** A connection is lost; what it asked for may have happened. */
    void lost(Peer p) {
        for (Slot s : slots.values()) {
            s.consumers.removeIf(c -> c.session.peer == p);
            if (s.user == p) {
                // with the connection go the consumers that stood against it
                s.removing |= s.asked && s.consumers.isEmpty();
                s.asked = false;
                s.user = null;
            }
        }
    }

    /** All consumers are gone, and what is not durable. */
    void died() {
        own.forEach(c -> c.place.closed = true);
        own.clear();
        for (Slot s : slots.values()) {
            s.consumers.clear();
            s.user = null;
            s.asked = false;
            if (!s.key.durable()) {
                s.current = null;
                s.terms = null;
                s.fresh = null;
                s.freshTerms = null;
            }
        }
    }

    /** Finds out which incarnation of each subscription there is, when everything stands still. */
    void resolve(SimulatedBroker broker, boolean reopened) {
        for (Slot s : slots.values()) {
            if (s.user != null) {
                books.wrong("a request about " + s + " is not answered");
            }
            SimulatedBroker.Contents there = broker.subscription(s.key.clientId(), s.key.name(), s.key.durable());
            if (reopened) {
                refused(s, there);
            }
            resolve(s, there, reopened ? " after the restart" : "");
        }
    }

    /** A death shows what became of changes that were refused because a write failed. */
    private void refused(Slot s, SimulatedBroker.@Nullable Contents there) {
        for (Slot.Refused r : s.refused) {
            if (there == null) {
                s.removing |= r.terms() == null;
            } else if (r.fresh() != null && is(there, r.terms()) && !is(there, s.terms) && !is(there, s.freshTerms)) {
                drop(s.fresh, s + " was not replaced");
                s.fresh = r.fresh();
                s.fresh.closed = false;
                s.freshTerms = r.terms();
            }
        }
        s.refused.clear();
    }

    private void resolve(Slot s, SimulatedBroker.@Nullable Contents there, String when) {
        if (there == null) {
            if (s.current != null && !s.removing && s.fresh == null && s.current.established) {
                books.wrong(s + " is not there any more" + when);
            } else if (s.current != null && s.fresh != null) {
                books.wrong(s + " is not there" + when + ", neither as it was nor as it was to be");
            }
            drop(s.current, s + " is gone");
            drop(s.fresh, s + " never came");
            s.current = null;
            s.terms = null;
            s.fresh = null;
            s.freshTerms = null;
            s.removing = false;
            return;
        }
        if (s.fresh != null && is(there, s.freshTerms)) {
            switched(s, s + " was replaced");
        } else if (!is(there, s.terms)) {
            books.wrong(s + " is there" + when + " with topic " + there.topic() + " and selector " + there.selector()
                    + ", and should have " + s.terms);
        }
        drop(s.fresh, s + " was not replaced");
        s.fresh = null;
        s.freshTerms = null;
        s.removing = false;
        if (s.current != null) {
            s.current.established = true;
        }
    }

    private void drop(@Nullable Place p, String why) {
        if (p != null) {
            close(p, why);
        }
    }

    private static boolean is(SimulatedBroker.Contents there, Slot.@Nullable Terms terms) {
        return terms != null
                && terms.topic().equals(there.topic())
                && Objects.equals(terms.choice().text, there.selector());
    }
}
