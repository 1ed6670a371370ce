package io.weir.lab.model;

import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The model: what must be, may be and must not be where, by the frames that the broker read and sent. Confined to the
 * simulation's thread; lives over all of the broker's lives.
 */
final class Books {
    /** Why copies are gone whose queue is. */
    static final String DELETED = "its queue was deleted";

    final Simulation world;
    private final Map<String, Place> queues = new LinkedHashMap<>();
    private final Map<String, Letter> letters = new LinkedHashMap<>();
    /** Read by the broker, and possibly on their way within it. */
    private final List<Letter> travelling = new ArrayList<>();
    /** Gone since everything stood still last, by means that should be on the disk soon. */
    private final List<Copy> goneLately = new ArrayList<>();
    /** Gone before, while the disk failed or the journal's queue was full. */
    private final List<Copy> goneBefore = new ArrayList<>();

    private final ClientIdBook clientIds = new ClientIdBook(this);
    private final SubscriptionBook subscriptions = new SubscriptionBook(this);
    private final DealBook deals = new DealBook(this);
    private final DeliveryBook deliveries = new DeliveryBook(this);
    private final Map<PeerSession, List<Copy>> unsafely = new LinkedHashMap<>();
    /** Sends without an answer that were dropped, less those that might be. */
    private int oneWayFailures;

    private @Nullable Job job;

    Books(Simulation world) {
        this.world = world;
        Profile.QUEUES.forEach(q -> queues.put(q, Profile.place(q)));
    }

    ClientIdBook clientIds() {
        return clientIds;
    }

    SubscriptionBook subscriptions() {
        return subscriptions;
    }

    DealBook deals() {
        return deals;
    }

    DeliveryBook deliveries() {
        return deliveries;
    }

    Map<String, Place> queues() {
        return queues;
    }

    Place queue(String name) {
        return Objects.requireNonNull(queues.get(name));
    }

    @Nullable
    Letter letter(String body) {
        return letters.get(body);
    }

    /** When the last letter may be delivered that waits for its time. */
    long lastDeliveryTime() {
        return letters.values().stream().mapToLong(l -> l.deliveryTime).max().orElse(0);
    }

    List<Letter> travelling() {
        return travelling;
    }

    /** Unless it is in doubt whether it was ever stored, it will not come again once the disk has caught up. */
    void goneLately(Copy c) {
        if (!c.unstored) {
            goneLately.add(c);
        }
    }

    /**
     * Everything stands still.
     *
     * @param healthy the disk took all that went since it last did
     * @param well and what it refused before
     */
    void caughtUp(boolean healthy, boolean well) {
        if (well) {
            settled(goneBefore);
        }
        if (healthy) {
            settled(goneLately);
        }
        goneBefore.addAll(goneLately);
        goneLately.clear();
    }

    private static void settled(List<Copy> gone) {
        gone.forEach(c -> c.mayReturn = false);
        gone.clear();
    }

    @Nullable
    Job job() {
        return job;
    }

    void job(@Nullable Job next) {
        job = next;
    }

    /** What is promised does not hold. */
    void wrong(String what) {
        world.wrong(what);
    }

    /** Whether the disk may have failed. */
    boolean faulty() {
        return world.faulty();
    }

    boolean mayRefuse(RefusalCode code) {
        // a queue of the journal that is full is no fault of the disk
        return (code == RefusalCode.STORE || code == RefusalCode.RESOURCE_ALLOCATION) && faulty();
    }

    /** The journal has written again: what a write failed for is not there. */
    void written() {
        subscriptions.written();
        places().forEach(p -> p.copies.values().forEach(c -> c.refused = null));
    }

    /** All copies of a letter. */
    List<Copy> copies(Letter l) {
        List<Copy> all = new ArrayList<>();
        for (Place p : places()) {
            Copy c = p.copy(l.body());
            if (c != null) {
                all.add(c);
            }
        }
        return all;
    }

    /** All places that exist, or may. */
    List<Place> places() {
        List<Place> all = new ArrayList<>(queues.values());
        for (Slot s : subscriptions.slots()) {
            for (Place p : new Place[] {s.current, s.fresh}) {
                if (p != null) {
                    all.add(p);
                }
            }
        }
        for (PeerConsumer c : subscriptions.own()) {
            all.add(c.place);
        }
        if (job != null && !all.contains(job.from)) {
            // replaced or gone meanwhile, and what it had may have left before
            all.add(job.from);
        }
        return all;
    }

    // sending

    /** The broker reads a send. */
    void sendRead(Letter l) {
        if (l.deal == null) {
            posted(l);
        } else {
            l.deal.letters.add(l);
        }
    }

    /** A letter goes where it is to go. */
    void posted(Letter l) {
        l.arrived = true;
        letters.put(l.body(), l);
        travelling.add(l);
        if (!l.topic) {
            Place p = queue(l.to);
            if (!p.closed) {
                p.put(l, true);
            }
            return;
        }
        for (Place p : subscriptions.of(l.to)) {
            if (p.choice.wants(l)) {
                p.put(l, p.established);
            }
        }
    }

    /** A subscription may get what is on its way to its topic. */
    void latecomer(Place p) {
        for (Letter l : travelling) {
            if (l.topic && l.to.equals(p.topic) && p.choice.wants(l) && p.copy(l.body()) == null) {
                p.put(l, false);
            }
        }
    }

    void sendGranted(Letter l) {
        if (l.deal == null) {
            Place p = l.topic ? null : queue(l.to);
            if (p != null && p.productionPaused && !p.changed) {
                wrong(l + " was taken, although production of " + p + " is paused");
            }
            safe(l);
        }
    }

    /** The broker said that it has a letter. */
    void safe(Letter l) {
        l.granted = true;
        for (Copy c : copies(l)) {
            if (c.expected && !c.isGone()) {
                c.state = Copy.State.THERE;
                c.safe = l.persistent && c.place.durable;
            }
        }
    }

    void sendRefused(Letter l, RefusalCode code, String text) {
        if (!mayRefuse(code) && !world.mayRefuseSend(l, code)) {
            wrong(l.producer + " could not send " + l + ": " + code + " " + text);
        }
        if (l.deal != null) {
            l.deal.letters.remove(l);
            return;
        }
        if (mayRefuse(code)) {
            for (Copy c : copies(l)) {
                c.unstored = true;
                c.refusedSend = true;
                if (c.holder == null && !c.isGone()) {
                    c.state = Copy.State.DOUBTFUL;
                }
            }
        } else {
            copies(l).forEach(c -> {
                if (c.emitted) {
                    wrong(c + " was delivered and refused");
                }
                c.gone("it was refused", true);
            });
        }
    }

    /** The broker reads a send without an answer. */
    void oneWayRead(Letter l) {
        Place p = l.topic ? null : queue(l.to);
        if (p != null && (l.to.equals(Profile.NARROW) || p.closed || p.changed || p.productionPaused)) {
            // there may be no room, or it is not taken
            oneWayFailures--;
        }
        posted(l);
    }

    /** A message without an answer was dropped. */
    void oneWayFailed(PeerSession s) {
        oneWayFailures++;
        world.log("  ONE_WAY_FAILED " + s);
    }

    int takeOneWayFailures() {
        int n = oneWayFailures;
        oneWayFailures = 0;
        return n;
    }

    // acknowledging

    /** The broker is told that an application gets a message. */
    void told(PeerSession s, long tag) {
        Copy c = s.held.get(tag);
        if (c != null && c.holder == s && c.tag == tag) {
            c.told = true;
        }
    }

    void acknowledged(PeerSession s, long tag) {
        Copy c = s.held.get(tag);
        if (c == null || c.holder != s || c.tag != tag) {
            return;
        }
        if (s.transacted()) {
            if (!s.deal.acknowledged.contains(c)) {
                s.deal.acknowledged.add(c);
            }
            return;
        }
        s.held.remove(tag);
        c.gone("it was acknowledged", false);
        goneLately(c);
        unsafely.computeIfAbsent(s, _ -> new ArrayList<>()).add(c);
    }

    List<Copy> unsafelyAcknowledged(PeerSession s) {
        List<Copy> all = unsafely.remove(s);
        return all == null ? List.of() : all;
    }

    /** They are owed still. */
    void unsafelyAcknowledged(PeerSession s, List<Copy> before) {
        unsafely.computeIfAbsent(s, _ -> new ArrayList<>()).addAll(before);
    }

    // ends

    /** A queue is deleted with all that it holds; what is at consumers goes when it comes back. */
    void deleted(Place p) {
        p.closed = true;
        for (Copy c : p.copies.values()) {
            if (c.isGone() || !c.isFree()) {
                continue;
            }
            if (!mayHaveLeft(c)) {
                c.gone(DELETED, false);
                goneLately(c);
            }
        }
    }

    /** Whether bulk work may have taken a copy before its place ended: then it is left open until everything stands still. */
    boolean mayHaveLeft(Copy c) {
        if (job == null || !job.takes(c)) {
            return false;
        }
        job.hidden++;
        return true;
    }

    /**
     * A queue is made in the place of one that was deleted: what consumers had of that one does not come back, what bulk work
     * may have moved is where that moved it, or gone.
     */
    void made(Place p) {
        for (Copy c : p.copies.values()) {
            PeerSession s = c.holder;
            if (!c.isGone() && s != null) {
                s.held.remove(c.tag);
                c.gone(DELETED, false);
            } else if (!c.isGone() && job != null && job.takes(c)) {
                job.hidden--;
                c.safe = false;
                c.state = Copy.State.DOUBTFUL;
            }
        }
        p.closed = false;
    }

    /** A connection breaks. */
    void lost(Peer p) {
        world.log(p + " is lost");
        letters.values().stream().filter(l -> l.producer.peer == p).forEach(l -> l.waits = false);
        for (PeerSession s : p.sessions) {
            deliveries.lost(s);
            deals.lost(s);
            s.closed = true;
            s.consumers.forEach(PeerConsumer::close);
        }
        subscriptions.lost(p);
        clientIds.lost(p);
    }

    /**
     * The broker ended: what is not on the disk is gone, what was at clients may come again.
     *
     * @param written it was stopped, and wrote what was to be written
     */
    void died(boolean written) {
        letters.values().forEach(l -> l.waits = false);
        for (Place p : places()) {
            p.consumers.clear();
            p.owners.clear();
            p.productionPaused = false;
            p.insertionPaused = false;
            p.consumptionPaused = false;
            p.still = false;
            for (Copy c : List.copyOf(p.copies.values())) {
                died(c);
            }
        }
        queues.values().forEach(q -> q.closed = false);
        subscriptions.died();
        clientIds.died();
        caughtUp(written, written);
        travelling.clear();
        goneBefore.clear();
        unsafely.clear();
        oneWayFailures = 0;
    }

    private void died(Copy c) {
        c.unmarked |= c.emitted && world.hadDiskFaults();
        c.refusedSend = false;
        if (c.isGone()) {
            c.flagDue |= c.emitted;
            return;
        }
        if (c.holder != null) {
            c.flagDue = true;
        }
        c.holder = null;
        c.consumer = null;
        c.loose = false;
        if (job != null && job.takes(c) && c.letter.persistent && !c.place.durable) {
            // in its target it would have been kept
            c.state = Copy.State.DOUBTFUL;
        } else if (!c.letter.persistent || !c.place.durable) {
            c.gone("it was not persistent", true);
        } else if (c.place.closed) {
            // a queue that is configured is there again; what consumers had of the deleted one may be on the disk still
            c.safe = false;
            c.state = Copy.State.DOUBTFUL;
        } else if (!c.safe || deals.isUnknown(c)) {
            c.state = Copy.State.DOUBTFUL;
        }
    }
}
