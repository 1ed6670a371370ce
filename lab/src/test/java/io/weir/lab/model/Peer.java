package io.weir.lab.model;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.weir.broker.SimulatedBroker;
import io.weir.broker.SimulatedConnection;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection. What it sends waits until the broker reads it, what the broker sends until it arrives; in between
 * the connection may break. The books hear of frames when the broker reads or sends them, the client when they arrive.
 */
final class Peer {
    private record Inbound(int type, int stream, ByteBuf payload, Runnable read) {}

    final Simulation world;
    final Books books;
    final int number;
    final long id;
    private final int version;
    final List<PeerSession> sessions = new ArrayList<>();
    final Map<Integer, Request> requests = new LinkedHashMap<>();
    private final SimulatedConnection link;
    private final ArrayDeque<Inbound> toBroker = new ArrayDeque<>();
    private final ArrayDeque<Runnable> toClient = new ArrayDeque<>();

    @Nullable
    String clientId;

    /** It reads what the broker sends. */
    boolean reading = true;
    /** Deliveries are on, as the broker knows. */
    boolean started;
    /** A stop was answered: nothing is delivered. */
    boolean stopped;

    boolean lost;
    /** Until when a send without an answer may wait for room, and what comes behind it for that; by the monotonic clock. */
    private long oneWayUntil = Long.MIN_VALUE;

    private int frames;
    private int requestNumbers;
    private int streams;

    Peer(Simulation world, int number, int loop) {
        this.world = world;
        this.books = world.books;
        this.number = number;
        this.id = world.connectionId();
        this.version = Feature.TELLING_CLIENTS.isOn() && number % 4 != 0 ? AckFrame.PASSED_VERSION : 1;
        this.link = world.broker().connect(loop, id, "user", version, this::output);
    }

    /** Whether it tells what it passes on, and asks until what it consumed is durable. */
    boolean tells() {
        return version >= AckFrame.PASSED_VERSION;
    }

    void start() {
        tell(FrameType.CONNECTION_START, 0, _ -> {}, () -> {
            started = true;
            stopped = false;
        });
    }

    void stop() {
        ask(FrameType.CONNECTION_STOP, 0, new Request(next(), this + " stops") {
            @Override
            void read() {
                started = false;
            }

            @Override
            void granted() {
                stopped = !started;
            }
        });
    }

    void claim(String client) {
        ask(
                FrameType.SET_CLIENT_ID,
                0,
                new Request(next(), this + " is " + client) {
                    @Override
                    void read() {
                        books.clientIds().claiming(Peer.this, client);
                    }

                    @Override
                    void granted() {
                        books.clientIds().granted(Peer.this, client);
                    }

                    @Override
                    void refused(RefusalCode code, String text) {
                        books.clientIds().refused(Peer.this, client);
                    }
                },
                (r, b) -> new ClientFrames.SetClientId(r, false, client).write(b));
    }

    /** The broker read a send without an answer, which may wait for so long. */
    void oneWayWaits(int millis) {
        oneWayUntil = Math.max(oneWayUntil, world.clock.nanos() + millis * 1_000_000L);
    }

    /** Whether answers may wait for sends. */
    boolean waitsForRoom() {
        return world.clock.nanos() < oneWayUntil || requests.values().stream().anyMatch(r -> r.patient);
    }

    int next() {
        return ++requestNumbers;
    }

    int nextStream() {
        return ++streams;
    }

    /** A request that is its number alone. */
    void ask(int type, int stream, Request r) {
        ask(type, stream, r, (n, b) -> new ClientFrames.Plain(n).write(b));
    }

    void ask(int type, int stream, Request r, BiConsumer<Integer, ByteBuf> payload) {
        requests.put(r.number, r);
        world.log(r.what);
        tell(type, stream, b -> payload.accept(r.number, b), () -> {
            r.read = true;
            r.read();
        });
    }

    void tell(int type, int stream, Consumer<ByteBuf> payload, Runnable read) {
        ByteBuf b = Unpooled.buffer();
        payload.accept(b);
        toBroker.add(new Inbound(type, stream, b, read));
    }

    boolean sends() {
        return !toBroker.isEmpty();
    }

    boolean receives() {
        return reading && !toClient.isEmpty();
    }

    /** The broker reads the next frame. */
    void takeInput() {
        Inbound in = toBroker.remove();
        in.read().run();
        if (isLost(in)) {
            return;
        }
        ByteBuf b = PooledByteBufAllocator.DEFAULT.directBuffer(
                Math.max(1, in.payload().readableBytes()));
        try {
            b.writeBytes(in.payload());
            link.input(in.type(), in.stream(), b);
        } finally {
            b.release();
        }
    }

    private boolean isLost(Inbound in) {
        boolean some = ++frames % 3 == 0;
        return switch (world.sabotage) {
            case LOST_ACKNOWLEDGEMENTS -> some && in.type() == FrameType.ACK;
            case LOST_MESSAGES -> {
                Request r = requests.values().stream().reduce((_, last) -> last).orElse(null);
                boolean lies = some && in.type() == FrameType.SEND && r != null && r.read && requests.size() == 1;
                if (lies) {
                    ByteBuf yes = Unpooled.buffer();
                    BrokerFrames.Ok.writePlain(yes, Objects.requireNonNull(r).number);
                    output(FrameType.OK, in.stream(), yes);
                }
                yield lies;
            }
            default -> false;
        };
    }

    /** The next frame arrives. */
    void takeOutput() {
        toClient.remove().run();
    }

    /** The client reads no more for a while, or again. */
    void reading(boolean on) {
        reading = on;
        link.writable(on);
    }

    /** The connection breaks; some of what was on its way gets through before. */
    void cut(RandomGenerator random) {
        for (int some = random.nextInt(toBroker.size() + 1); some > 0 && !toBroker.isEmpty(); some--) {
            takeInput();
        }
        cut();
    }

    /** The connection breaks; nothing that was on its way gets through. */
    void cut() {
        toBroker.clear();
        lost = true;
        books.lost(this);
        link.lose();
        toClient.clear();
    }

    /** The broker died. */
    void died() {
        lost = true;
        toBroker.clear();
        toClient.clear();
    }

    /** What one of its consumers takes messages from. */
    SimulatedBroker.@Nullable Contents contents(PeerConsumer c) {
        return world.broker().consumer(link, c.session.stream, c.number);
    }

    // what the broker sends

    private void output(int type, int stream, ByteBuf payload) {
        if (lost) {
            return;
        }
        switch (type) {
            case FrameType.OK -> {
                Request r = answered(BrokerFrames.Ok.readRequest(payload));
                world.log("  OK " + r);
                r.granted();
                toClient.add(() -> r.arrived(true));
            }
            case FrameType.REFUSED -> {
                BrokerFrames.Refused no = BrokerFrames.Refused.read(payload);
                Request r = answered(no.request());
                world.log("  REFUSED " + r + ": " + no.code() + " " + no.text());
                r.refused(no.code(), no.text());
                toClient.add(() -> r.arrived(false));
            }
            case FrameType.RECEIVE_DONE -> {
                BrokerFrames.ReceiveDone done = BrokerFrames.ReceiveDone.read(payload);
                Request r = answered(done.request());
                if (r instanceof Receipt receipt && receipt.delivered != done.count()) {
                    books.wrong(r + " is answered with " + done.count() + " messages, and " + receipt.delivered
                            + " were delivered");
                }
                r.granted();
                toClient.add(() -> r.arrived(true));
            }
            case FrameType.DELIVER -> delivered(stream, payload);
            case FrameType.CONSUMER_CLOSED ->
                evicted(stream, BrokerFrames.ConsumerClosed.read(payload).consumer());
            case FrameType.ONE_WAY_FAILED -> session(stream).oneWayFailed();
            default -> books.wrong(this + " is sent " + FrameType.name(type));
        }
    }

    private Request answered(int request) {
        Request r = requests.remove(request);
        if (r == null) {
            books.wrong(this + ": request " + request + " is answered twice, or was never asked");
            return new Request(request, "?");
        }
        if (!r.read) {
            books.wrong(r + " is answered before it was read");
        }
        r.answered = true;
        return r;
    }

    private PeerSession session(int stream) {
        for (PeerSession s : sessions) {
            if (s.stream == stream) {
                return s;
            }
        }
        throw new AssertionError(this + " has no session " + stream);
    }

    private void delivered(int stream, ByteBuf payload) {
        DeliverFrame d = new DeliverFrame().read(payload);
        if (d.browsed()) {
            return;
        }
        PeerSession s = session(stream);
        Arrival a = s.delivered(d.consumer(), d.tag(), Frames.body(payload), payload.readableBytes(), d.redelivered());
        if (a != null) {
            boolean unflagged = world.sabotage == Sabotage.LOST_FLAGS;
            String move = SimulatedBroker.move(payload);
            books.deliveries().delivered(a, d.redelivered() && !unflagged, unflagged ? 1 : d.deliveryCount(), move);
            if (world.sabotage == Sabotage.DOUBLED_MESSAGES && d.tag() % 7 == 0) {
                books.deliveries().delivered(a, d.redelivered(), d.deliveryCount(), move);
            }
            books.deliveries().origin(a, Frames.origin(payload));
            toClient.add(() -> s.arrive(a));
        }
    }

    private void evicted(int stream, int consumer) {
        PeerSession s = session(stream);
        PeerConsumer c = s.consumer(consumer);
        if (c != null) {
            world.log("  CONSUMER_CLOSED " + c);
            c.close();
            toClient.add(() -> s.consumers.remove(c));
        }
    }

    @Override
    public String toString() {
        return "p" + number + (clientId == null ? "" : "(" + clientId + ")");
    }
}
