package io.weir.lab.model;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Chooses what happens next, and does it. Confined to its simulation. */
final class Operations {
    /** What may be done, and how often by the kind of the run: mixed, subscriptions, transactions, disk, bulk, time. */
    enum Kind {
        CONNECT(4, 6, 4, 4, 3, 3),
        CUT(3, 4, 4, 2, 2, 2),
        STALL(2, 1, 1, 1, 1, 2),
        STOP(1, 1, 1, 1, 1, 1),
        SESSION(6, 6, 8, 5, 5, 5),
        END_SESSION(2, 3, 3, 1, 1, 2),
        CONSUMER(8, 16, 7, 6, 6, 6),
        END_CONSUMER(3, 7, 3, 2, 2, 2),
        UNSUBSCRIBE(2, 6, 1, 2, 1, 1),
        SEND(30, 24, 34, 28, 30, 30),
        BURST(1, 1, 1, 1, 5, 1),
        SEE(18, 12, 18, 16, 12, 18),
        RECEIVE(7, 4, 7, 6, 4, 6),
        CONCLUDE(10, 6, 16, 9, 8, 9),
        UNDO(4, 2, 7, 3, 2, 6),
        ADVANCE(5, 2, 3, 4, 4, 16),
        JUMP(1, 0, 0, 0, 0, 5),
        JOB(2, 2, 1, 2, 12, 2),
        PAUSE(3, 2, 3, 2, 3, 3),
        DELETE(1, 1, 2, 1, 1, 1),
        DISK(1, 1, 1, 14, 2, 1),
        DEATH(3, 6, 5, 5, 4, 4),
        RESTART(1, 1, 1, 1, 1, 1),
        STORY(3, 5, 3, 3, 3, 4),
        AUDIT(6, 6, 6, 6, 6, 6);

        private final int mixed;
        private final int subscriptions;
        private final int transactions;
        private final int disk;
        private final int bulk;
        private final int time;

        Kind(int mixed, int subscriptions, int transactions, int disk, int bulk, int time) {
            this.mixed = mixed;
            this.subscriptions = subscriptions;
            this.transactions = transactions;
            this.disk = disk;
            this.bulk = bulk;
            this.time = time;
        }

        /** How often it comes in a run of this kind. */
        int weight(Profile.Kind of) {
            return switch (of) {
                case MIXED -> mixed;
                case SUBSCRIPTIONS -> subscriptions;
                case TRANSACTIONS -> transactions;
                case DISK -> disk;
                case BULK -> bulk;
                case TIME -> time;
            };
        }
    }

    private static final int MOST_PEERS = 4;
    private static final List<Integer> MODES = List.of(
            PeerSession.AUTO,
            PeerSession.CLIENT,
            PeerSession.CLIENT,
            PeerSession.DUPS,
            PeerSession.NONE,
            PeerSession.TRANSACTED,
            PeerSession.TRANSACTED);

    private final Simulation world;
    private final StructureOperations structure;
    private final Stories stories;
    private RandomGenerator random = RandomGenerator.getDefault();
    private int letters;

    Operations(Simulation world) {
        this.world = world;
        this.structure = new StructureOperations(world);
        this.stories = new Stories(world, this);
    }

    /** One step. */
    void perform(RandomGenerator chance) {
        random = chance;
        structure.random = chance;
        Kind kind = choose();
        perform(kind);
        after(kind);
    }

    private Kind choose() {
        Profile.Kind of = world.profile.kind();
        int sum = Arrays.stream(Kind.values()).mapToInt(k -> k.weight(of)).sum();
        int at = random.nextInt(sum);
        for (Kind k : Kind.values()) {
            at -= k.weight(of);
            if (at < 0) {
                return k;
            }
        }
        throw new AssertionError();
    }

    private void perform(Kind kind) {
        switch (kind) {
            case CONNECT -> connect();
            case CUT -> cut();
            case STALL -> each(p -> p.reading(!p.reading));
            case STOP ->
                each(p -> {
                    if (p.started) {
                        p.stop();
                    } else {
                        p.start();
                    }
                });
            case SESSION -> session();
            case END_SESSION -> idle(s -> true, PeerSession::close);
            case CONSUMER -> idle(s -> s.consumers.size() < 3, structure::consume);
            case END_CONSUMER -> idle(s -> !s.consumers.isEmpty(), s -> s.close(any(s.consumers)));
            case UNSUBSCRIBE -> idle(s -> s.peer.clientId != null, structure::unsubscribe);
            case SEND -> idle(s -> s.asynchronous < 5, s -> send(s, null, false));
            case BURST -> idle(s -> true, this::burst);
            case SEE -> idle(s -> true, this::see);
            case RECEIVE -> idle(s -> true, this::receive);
            case CONCLUDE -> idle(s -> s.mode != PeerSession.NONE && s.asynchronous == 0, this::conclude);
            case UNDO -> idle(s -> s.mode != PeerSession.NONE && s.asynchronous == 0, PeerSession::undo);
            case ADVANCE -> advance();
            case JUMP -> jump();
            case JOB -> structure.job();
            case PAUSE -> structure.pause();
            case DELETE -> structure.delete();
            case DISK -> disk();
            case DEATH -> world.die();
            case RESTART -> world.restart();
            case STORY -> stories.tell(random);
            case AUDIT -> {
                world.settle();
                world.audit();
            }
        }
    }

    /** The broker and the connections take their turns; what is delicate is often followed by a death. */
    private void after(Kind kind) {
        boolean delicate = switch (kind) {
            case UNSUBSCRIBE, JOB, CONSUMER, PAUSE, CONCLUDE, DISK -> true;
            default -> false;
        };
        if (delicate && random.nextInt(8) == 0) {
            world.turns(random.nextInt(30));
            world.die();
        } else if (random.nextInt(4) == 0) {
            world.settle();
        } else {
            world.turns(random.nextInt(10));
        }
        if (random.nextInt(12) == 0) {
            world.settle();
            world.audit();
        }
    }

    private void connect() {
        if (world.peers().size() < MOST_PEERS) {
            Peer p = world.connect();
            if (random.nextInt(3) > 0) {
                p.claim(any(StructureOperations.CLIENTS));
            }
            open(p);
        }
    }

    private void cut() {
        each(p -> {
            p.cut(random);
            world.peers().remove(p);
        });
    }

    private void session() {
        each(p -> {
            if (p.sessions.size() < 3) {
                open(p);
            }
        });
    }

    private void open(Peer p) {
        int window = random.nextInt(4) == 0 ? -1 : 1 + random.nextInt(6);
        PeerSession s = new PeerSession(p, p.nextStream(), any(MODES), window);
        p.sessions.add(s);
        s.open();
    }

    // messages

    private void send(PeerSession s, @Nullable String queue, boolean waitless) {
        boolean topic = queue == null && random.nextInt(5) < 2;
        String to = queue != null ? queue : topic ? any(Profile.TOPICS) : any(Profile.QUEUES);
        Letter l = letter(s, to, topic);
        l.persistent = random.nextInt(4) > 0;
        int timed = world.profile.kind() == Profile.Kind.TIME ? 3 : 12;
        if (random.nextInt(timed) == 0) {
            l.deliveryTime = world.clock.millis() + 1 + random.nextInt(300);
        }
        if (random.nextInt(timed) == 0) {
            l.expiration = Math.max(l.deliveryTime, world.clock.millis()) + 1 + random.nextInt(800);
        }
        int timeOut = random.nextInt(3) == 0 ? 50 : 0;
        Sending.send(s, l, waitless ? Sending.Way.ASYNCHRONOUS : way(s, l), timeOut);
    }

    private Letter letter(PeerSession s, String to, boolean topic) {
        Letter l = new Letter(++letters, to, topic, s);
        l.n = random.nextInt(100);
        l.colour = random.nextBoolean() ? "red" : "blue";
        l.priority = random.nextInt(3) == 0 ? random.nextInt(10) : 4;
        if (random.nextInt(5) == 0) {
            l.group = "g" + random.nextInt(3);
        }
        return l;
    }

    /** Sends without waiting for the answer, and without a time. */
    void send(PeerSession s, String to, boolean topic, boolean persistent) {
        Letter l = letter(s, to, topic);
        l.persistent = persistent;
        Sending.send(s, l, Sending.Way.ASYNCHRONOUS, 0);
    }

    /** Sends a persistent message of a group to a queue, without waiting for the answer. */
    void send(PeerSession s, String queue, @Nullable String group) {
        Letter l = letter(s, queue, false);
        l.persistent = true;
        l.group = group;
        Sending.send(s, l, Sending.Way.ASYNCHRONOUS, 0);
    }

    /** Sends what may wait for room. */
    void sendPatiently(PeerSession s, String queue, int timeOut) {
        Letter l = letter(s, queue, false);
        l.persistent = random.nextBoolean();
        Sending.send(s, l, Sending.Way.ASYNCHRONOUS, timeOut);
    }

    /** Sends what is to be delivered later. */
    void sendLater(PeerSession s, String queue, long millis) {
        Letter l = letter(s, queue, false);
        l.persistent = random.nextBoolean();
        l.deliveryTime = world.clock.millis() + millis;
        Sending.send(s, l, Sending.Way.ASYNCHRONOUS, 0);
    }

    /** The number of the last letter that was sent. */
    int letters() {
        return letters;
    }

    StructureOperations structure() {
        return structure;
    }

    private Sending.Way way(PeerSession s, Letter l) {
        if (!l.persistent && !s.transacted() && random.nextInt(6) == 0) {
            return Sending.Way.ONE_WAY;
        }
        return random.nextInt(3) == 0 ? Sending.Way.ASYNCHRONOUS : Sending.Way.WAITING;
    }

    private void burst(PeerSession s) {
        String queue = random.nextInt(4) == 0 ? null : any(List.of(Profile.PLAIN, Profile.STRICT, Profile.RESTING));
        for (int i = 10 + random.nextInt(40); i > 0 && !world.isWrong(); i--) {
            send(s, queue, true);
            if (random.nextInt(6) == 0) {
                world.turns(10);
            }
        }
    }

    private void see(PeerSession s) {
        for (int i = 1 + random.nextInt(5); i > 0 && s.blocked == null; i--) {
            Arrival a = s.inbox.poll();
            if (a == null) {
                for (PeerConsumer c : s.consumers) {
                    a = a == null ? c.buffer.poll() : a;
                }
            }
            if (a == null) {
                return;
            }
            s.see(a);
        }
    }

    private void receive(PeerSession s) {
        List<PeerConsumer> some = s.consumers.stream()
                .filter(c -> !c.pushed && c.open && !c.closing && c.buffer.isEmpty())
                .toList();
        if (!some.isEmpty()) {
            long timeOut = random.nextInt(3) == 0 ? 1 + random.nextInt(60) : 0;
            s.receive(any(some), timeOut, random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1);
        }
    }

    private void conclude(PeerSession s) {
        if (s.transacted()) {
            s.commit();
        } else {
            s.acknowledgeAll();
            s.sync();
        }
    }

    // time and disk

    private void advance() {
        int[] steps = {1, 10, 50, 300, 1_000, 5_000};
        long millis = steps[random.nextInt(steps.length)];
        world.log(millis + " ms pass");
        world.advance(millis);
    }

    private void jump() {
        long by = random.nextInt(3) == 0 ? -random.nextInt(2_000) : random.nextInt(400_000);
        world.log("the wall clock jumps by " + by + " ms");
        world.clock.jump(by);
    }

    private void disk() {
        if (world.books.subscriptions().isBusy() && !Feature.SUBSCRIPTIONS_ON_A_BAD_DISK.isOn()) {
            world.settle();
        }
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                long room = random.nextInt(4) * 1_000L + random.nextInt(70_000);
                world.log("the disk has room for " + room + " bytes more");
                world.inject(true);
                world.disk().capacity(world.disk().used() + room);
            }
            case 2 -> {
                if (!Feature.FAILING_WRITES.isOn()) {
                    return;
                }
                world.log("the next write fails");
                world.inject(true);
                world.disk().failWrites(1);
            }
            case 3 -> {
                if (!Feature.FAILING_WRITES.isOn()) {
                    return;
                }
                world.log("the next force fails");
                world.inject(true);
                world.disk().failForces(1);
            }
            case 4 -> {
                int more = 1 + random.nextInt(8);
                world.log("the power goes with the operation after " + more);
                world.inject(true);
                world.disk().losePowerAfter(more);
            }
            default -> {
                world.heal();
                world.advance(1_500);
            }
        }
    }

    // choosing

    <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void each(java.util.function.Consumer<Peer> action) {
        if (!world.peers().isEmpty()) {
            action.accept(any(world.peers()));
        }
    }

    /** A session that waits for nothing. */
    private void idle(Predicate<PeerSession> fit, java.util.function.Consumer<PeerSession> action) {
        List<PeerSession> all = new ArrayList<>();
        for (Peer p : world.peers()) {
            for (PeerSession s : p.sessions) {
                if (s.blocked == null && !s.closed && !s.closing && fit.test(s)) {
                    all.add(s);
                }
            }
        }
        if (!all.isEmpty()) {
            action.accept(any(all));
        }
    }

    /** Opens a consumer of a named subscription. */
    static void subscribe(PeerSession s, Slot slot, Slot.Terms terms, boolean pushed) {
        slot.user = s.peer;
        // which incarnation it gets is known when the broker has read it
        PeerConsumer c = new PeerConsumer(s, s.nextConsumer(), slot.incarnation(terms), terms.choice(), pushed, slot);
        c.terms = terms;
        int flags = (slot.key.durable() ? ClientFrames.OpenConsumer.DURABLE : 0)
                | (terms.shared() ? ClientFrames.OpenConsumer.SHARED : 0);
        s.open(
                c,
                ", subscription " + slot + " " + terms,
                new DestinationName(DestinationKind.TOPIC, terms.topic()),
                flags,
                slot.key.name());
    }

    /** Pauses or resumes. */
    static void pause(Simulation world, Place p, BrokerAdmin.Stage stage, boolean on) {
        try {
            world.broker().admin().pause(p.name, stage, on);
        } catch (RequestRefusal r) {
            world.wrong(p + " cannot be paused: " + r.getMessage());
        }
    }
}
