package io.weir.lab.model;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What chance alone would seldom bring together: operations that are delicate side by side, each with much left to chance.
 * Confined to its simulation.
 */
final class Stories {
    private final Simulation world;
    private final Operations operations;
    private final DiskStories disk;
    private RandomGenerator random = RandomGenerator.getDefault();

    Stories(Simulation world, Operations operations) {
        this.world = world;
        this.operations = operations;
        this.disk = new DiskStories(world, operations, this);
    }

    /** Tells one. */
    void tell(RandomGenerator chance) {
        random = chance;
        if (world.peers().size() > 4) {
            world.peers().removeFirst().cut(random);
        }
        disk.random = chance;
        if (world.profile.shortQueue() && random.nextInt(3) == 0) {
            disk.fullQueue();
            return;
        }
        boolean mayFail = Feature.FAILING_WRITES.isOn();
        switch (random.nextInt(mayFail ? 14 : 10)) {
            case 0, 1 -> subscriptionEnds();
            case 2 -> resumed();
            case 3 -> movedToAnEagerConsumer();
            case 4 -> largeTransaction();
            case 5 -> clockJumps();
            case 6 -> disk.pausedWhileASendWaits();
            case 7 -> disk.restingWhileTheClockIsSetBack();
            case 8 -> disk.sentWhileBulkWorkGoesOn();
            case 10, 11 -> disk.acknowledgements();
            case 12, 13 -> disk.lateMarks();
            default -> crashLoop();
        }
    }

    private boolean isOver() {
        return world.isWrong() || world.disk().lostPower();
    }

    /** A durable subscription with messages is removed, or gets another selector; then the broker dies. */
    private void subscriptionEnds() {
        if (!Feature.ENDED_SUBSCRIPTIONS.isOn()) {
            return;
        }
        world.log("story: a subscription ends");
        String client = operations.any(StructureOperations.CLIENTS);
        if (world.books.clientIds().isTaken(client)) {
            return;
        }
        PeerSession s = session(PeerSession.AUTO, client, 3);
        Slot slot =
                world.books.subscriptions().slot(new Slot.Key(client, operations.any(StructureOperations.NAMES), true));
        if (isOver() || s == null || slot.user != null) {
            return;
        }
        Slot.Terms terms = slot.terms;
        if (terms == null) {
            terms = new Slot.Terms(operations.any(Profile.TOPICS), Choice.ALL, false);
            if (!subscribeAndLeave(s, slot, terms)) {
                return;
            }
        }
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            operations.send(s, terms.topic(), true, true);
        }
        world.settle();
        if (isOver() || s.blocked != null || slot.user != null) {
            return;
        }
        boolean badDisk = random.nextInt(3) == 0 && Feature.FAILING_WRITES.isOn();
        if (badDisk) {
            disk.fail();
        }
        slot.user = s.peer;
        if (random.nextBoolean()) {
            s.unsubscribe(slot);
        } else {
            slot.user = null;
            Operations.subscribe(
                    s, slot, new Slot.Terms(terms.topic(), Choice.RED, terms.shared()), random.nextBoolean());
        }
        world.turns(random.nextInt(badDisk ? 200 : 40));
        if (badDisk && random.nextBoolean()) {
            world.settle();
            world.audit();
        }
        if (isOver()) {
            return;
        }
        world.die();
        if (random.nextBoolean() && !isOver()) {
            again(client, slot, terms);
        }
    }

    private void again(String client, Slot slot, Slot.Terms terms) {
        PeerSession s = session(PeerSession.AUTO, client, 3);
        if (s != null && slot.user == null && slot.current == null) {
            Operations.subscribe(s, slot, terms, false);
            world.settle();
            if (!isOver()) {
                world.die();
            }
        }
    }

    private boolean subscribeAndLeave(PeerSession s, Slot slot, Slot.Terms terms) {
        if (world.faulty() && !Feature.SUBSCRIPTIONS_ON_A_BAD_DISK.isOn()) {
            return false;
        }
        Operations.subscribe(s, slot, terms, false);
        world.settle();
        if (isOver() || s.blocked != null || s.consumers.isEmpty()) {
            return false;
        }
        s.close(s.consumers.getFirst());
        world.settle();
        return !isOver() && s.blocked == null;
    }

    /** Messages wait although consumers are there; consumption goes on while others arrive; then the broker dies. */
    private void resumed() {
        world.log("story: consumption is resumed");
        Place p = world.books.queue(Profile.PLAIN);
        PeerSession listener = session(PeerSession.CLIENT, null, random.nextBoolean() ? -1 : 4);
        PeerSession sender = session(PeerSession.AUTO, null, 3);
        if (isOver() || listener == null || sender == null || p.productionPaused) {
            return;
        }
        pause(p, true);
        listen(listener, p);
        String group = null;
        if (random.nextBoolean() && !isOver()) {
            PeerSession other = session(PeerSession.CLIENT, null, 4);
            if (other == null) {
                return;
            }
            listen(other, p);
            group = "waiting";
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, group);
        }
        world.settle();
        if (isOver()) {
            return;
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.turns(random.nextInt(6));
        if (isOver()) {
            return;
        }
        pause(p, false);
        if (random.nextBoolean()) {
            world.settle();
        } else {
            world.turns(random.nextInt(40));
        }
        if (!isOver()) {
            world.die();
        }
    }

    private void pause(Place p, boolean on) {
        p.changed = true;
        p.still = false;
        p.consumptionPaused = on;
        world.log("an administrator " + (on ? "pauses" : "resumes") + " consumption of " + p);
        Operations.pause(world, p, BrokerAdmin.Stage.CONSUMPTION, on);
    }

    /** Messages are moved to a queue with a consumer, and the disk fails meanwhile. */
    private void movedToAnEagerConsumer() {
        world.log("story: moved to an eager consumer");
        PeerSession listener = session(PeerSession.CLIENT, null, -1);
        PeerSession sender = session(PeerSession.AUTO, null, 3);
        if (isOver() || listener == null || sender == null) {
            return;
        }
        listen(listener, world.books.queue(Profile.RESTING));
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            operations.send(sender, Profile.PLAIN, false, true);
        }
        world.settle();
        if (isOver()) {
            return;
        }
        if (random.nextInt(3) > 0 && Feature.FAILING_WRITES.isOn()) {
            world.log("the next write fails");
            world.inject(true);
            world.disk().failWrites(1);
        }
        operations.structure().job(world.books.queue(Profile.PLAIN), world.books.queue(Profile.RESTING), Choice.ALL);
        world.turns(random.nextInt(60));
    }

    /** One transaction acknowledges about as many messages as fit into the journal's buffer. */
    private void largeTransaction() {
        if (random.nextInt(4) > 0 || world.profile.shortQueue()) {
            return;
        }
        world.log("story: a large transaction");
        Place p = world.books.queue(Profile.PLAIN);
        PeerSession listener = session(PeerSession.TRANSACTED, null, -1);
        PeerSession sender = session(PeerSession.AUTO, null, 3);
        if (isOver() || listener == null || sender == null || p.productionPaused || p.consumptionPaused) {
            return;
        }
        listen(listener, p);
        for (int i = 950 + random.nextInt(90); i > 0 && !isOver(); i--) {
            operations.send(sender, Profile.PLAIN, false, true);
            if (i % 50 == 0) {
                world.settle();
            }
        }
        world.settle();
        if (isOver() || listener.blocked != null) {
            return;
        }
        while (!listener.inbox.isEmpty() && !isOver()) {
            listener.see(listener.inbox.remove());
            if (listener.blocked != null) {
                world.settle();
            }
        }
        if (isOver() || listener.blocked != null) {
            return;
        }
        listener.commit();
        world.settle();
    }

    /** The wall clock jumps over the time of messages that wait for it. */
    private void clockJumps() {
        world.log("story: the wall clock jumps");
        PeerSession sender = session(PeerSession.AUTO, null, 3);
        if (isOver() || sender == null) {
            return;
        }
        long away = 1_000L * (10 + random.nextInt(8_000));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            operations.sendLater(sender, Profile.PLAIN, away);
        }
        world.settle();
        if (isOver()) {
            return;
        }
        world.log("the wall clock jumps by " + (away + 1_000) + " ms");
        world.clock.jump(away + 1_000);
        world.audit();
        world.advance(3_000);
        world.settle();
        world.audit();
    }

    /** A client that dies again and again before it sees anything. */
    private void crashLoop() {
        world.log("story: a crash loop");
        Place p = world.books.queue(Profile.STRICT);
        PeerSession sender = session(PeerSession.AUTO, null, 3);
        if (isOver() || sender == null || p.productionPaused || p.consumptionPaused) {
            return;
        }
        for (int i = 3 + random.nextInt(6); i > 0; i--) {
            operations.send(sender, Profile.STRICT, false, true);
        }
        if (random.nextInt(3) == 0) {
            Place errors = world.books.queue(Profile.ERRORS);
            errors.changed = true;
            errors.insertionPaused = true;
            world.log("an administrator pauses insertion of " + errors);
            Operations.pause(world, errors, BrokerAdmin.Stage.INSERTION, true);
        }
        world.settle();
        for (int i = 0; i < Profile.LIMIT + 2 && !isOver(); i++) {
            PeerSession s = session(random.nextBoolean() ? PeerSession.AUTO : PeerSession.CLIENT, null, -1);
            if (s == null) {
                return;
            }
            listen(s, p);
            if (!isOver() && !s.inbox.isEmpty() && random.nextInt(3) == 0) {
                s.see(s.inbox.remove());
                world.settle();
            }
            s.peer.cut(random);
            world.peers().remove(s.peer);
            world.settle();
        }
    }

    // what they are made of

    void listen(PeerSession s, Place p) {
        ask(s, p);
        world.settle();
    }

    /** Asks for a consumer. */
    void ask(PeerSession s, Place p) {
        String queue = p.name.substring("queue/".length());
        PeerConsumer c = new PeerConsumer(s, s.nextConsumer(), p, Choice.ALL, true, null);
        s.open(c, "", new DestinationName(DestinationKind.QUEUE, queue), 0, null);
    }

    /** A new client with a session. */
    @Nullable
    PeerSession session(int mode, @Nullable String clientId, int window) {
        if (isOver()) {
            return null;
        }
        Peer p = world.connect();
        if (clientId != null) {
            p.claim(clientId);
        }
        PeerSession s = new PeerSession(p, p.nextStream(), mode, window);
        p.sessions.add(s);
        s.open();
        world.settle();
        return isOver() || (clientId != null && !clientId.equals(p.clientId)) ? null : s;
    }
}
