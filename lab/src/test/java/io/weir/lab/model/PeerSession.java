package io.weir.lab.model;

import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A session of a simulated client: what its application does, one thing after the other, and what the broker knows of it.
 * Confined to the simulation's thread; lives until it or its connection is closed.
 */
final class PeerSession {
    static final int TRANSACTED = ClientFrames.OpenSession.TRANSACTED;
    static final int AUTO = ClientFrames.OpenSession.AUTO;
    static final int CLIENT = ClientFrames.OpenSession.CLIENT;
    static final int DUPS = ClientFrames.OpenSession.DUPLICATES_ALLOWED;
    static final int NONE = ClientFrames.OpenSession.NONE;

    final Peer peer;
    final int stream;
    final int mode;
    final int window;
    final List<PeerConsumer> consumers = new ArrayList<>();

    // as the broker knows it

    final TreeMap<Long, Copy> held = new TreeMap<>();
    /** Pushed to its listeners and not credited. */
    int outstanding;

    boolean undoing;
    boolean closing;
    boolean closed;
    /** What its application had seen when it closed; 0 before. */
    long closedTo;

    Deal deal = new Deal();
    private long lastTag;

    // as its application knows it

    /** What arrived for listeners and was not passed on. */
    final ArrayDeque<Arrival> inbox = new ArrayDeque<>();
    /** Seen, and not acknowledged. */
    final TreeMap<Long, Arrival> unacknowledged = new TreeMap<>();
    /** It waits for this answer. */
    @Nullable
    Request blocked;

    int asynchronous;
    long seen;
    private int consumerNumbers;

    PeerSession(Peer peer, int stream, int mode, int window) {
        this.peer = peer;
        this.stream = stream;
        this.mode = mode;
        this.window = window;
    }

    boolean transacted() {
        return mode == TRANSACTED;
    }

    Books books() {
        return peer.books;
    }

    @Nullable
    PeerConsumer consumer(int number) {
        for (PeerConsumer c : consumers) {
            if (c.number == number) {
                return c;
            }
        }
        return null;
    }

    /** A request that the application waits for. */
    private class Blocking extends Request {
        Blocking(String what) {
            super(peer.next(), PeerSession.this + " " + what);
            blocked = this;
        }

        @Override
        final void arrived(boolean granted) {
            blocked = null;
            after(granted);
        }

        void after(boolean unused) {
            // nothing to do
        }
    }

    /** A request after whose answer nothing that was acknowledged before it may come again. */
    private class Durable extends Blocking {
        private final List<Copy> before = new ArrayList<>();

        Durable(String what) {
            super(what);
        }

        @Override
        void read() {
            before.addAll(books().unsafelyAcknowledged(PeerSession.this));
        }

        @Override
        void granted() {
            if (Feature.SYNCS_ON_A_BAD_DISK.isOn() || !books().faulty()) {
                before.forEach(c -> c.mayReturn = false);
            }
        }

        @Override
        void refused(RefusalCode code, String text) {
            if (!books().mayRefuse(code)) {
                books().wrong(what + " is refused: " + code + " " + text);
            }
            // who asks again waits for the same
            books().unsafelyAcknowledged(PeerSession.this, before);
        }
    }

    void open() {
        peer.ask(
                FrameType.OPEN_SESSION,
                stream,
                new Blocking("opens, mode " + mode + ", window " + window),
                (r, b) -> new ClientFrames.OpenSession(r, mode, window, -1, false, 0).write(b));
    }

    void oneWayFailed() {
        books().oneWayFailed(this);
    }

    // receiving

    void open(PeerConsumer c, String what, DestinationName to, int flags, @Nullable String name) {
        peer.ask(
                FrameType.OPEN_CONSUMER,
                stream,
                new Blocking("opens " + c + what) {
                    @Override
                    void read() {
                        consumers.add(c);
                        books().subscriptions().opening(c);
                    }

                    @Override
                    void granted() {
                        c.open = !c.closing;
                        books().subscriptions().opened(c);
                    }

                    @Override
                    void refused(RefusalCode code, String text) {
                        books().subscriptions().notOpened(c, code, text);
                        consumers.remove(c);
                    }
                },
                (r, b) -> new ClientFrames.OpenConsumer(
                                r,
                                c.number,
                                to,
                                c.choice.text,
                                flags | (c.pushed ? ClientFrames.OpenConsumer.ASYNC : 0),
                                name)
                        .write(b));
    }

    int nextConsumer() {
        return ++consumerNumbers;
    }

    void receive(PeerConsumer c, long timeOut, int most) {
        Receipt r = new Receipt(peer.next(), c + " receives " + most + " within " + timeOut, c, most) {
            @Override
            void read() {
                c.receiving = this;
            }

            @Override
            void granted() {
                c.receiving = null;
            }

            @Override
            void arrived(boolean granted) {
                blocked = null;
            }
        };
        r.patient = timeOut != 0;
        blocked = r;
        peer.ask(
                FrameType.RECEIVE,
                stream,
                r,
                (n, b) -> new ClientFrames.Receive(n, c.number, timeOut, most, Integer.MAX_VALUE).write(b));
    }

    /** The broker sends a message. */
    @Nullable
    Arrival delivered(int number, long tag, String body, int bytes, boolean flagged) {
        PeerConsumer c = consumer(number);
        String what = this + " is sent " + body + " for consumer " + number + ", tag " + tag;
        if (c == null || c.closed || closed) {
            books().wrong(what + ", which is closed");
            return null;
        }
        if (peer.stopped) {
            books().wrong(what + " while the connection is stopped");
        }
        if (tag <= lastTag) {
            books().wrong(what + " after tag " + lastTag);
        }
        lastTag = tag;
        Receipt r = c.receiving;
        if (r != null) {
            r.delivered++;
            if (r.delivered > r.most) {
                books().wrong(what + ", and " + r + " asked for " + r.most);
            }
        } else if (c.pushed && !c.closing) {
            // what comes while a consumer closes is given back with its room
            outstanding++;
            if (window >= 0 && outstanding > Math.max(1, window)) {
                books().wrong(what + " over its window of " + window);
            }
        } else if (!c.pushed && !c.closing) {
            books().wrong(what + ", which did not ask");
        }
        return new Arrival(this, c, tag, body, bytes, c.pushed && r == null, flagged);
    }

    /** A message arrives at the client. */
    void arrive(Arrival a) {
        if (a.pushed) {
            inbox.add(a);
        } else {
            a.consumer.buffer.add(a);
        }
    }

    /** The application takes a message; one that may have been seen before only when the broker knows that. */
    void see(Arrival a) {
        if (peer.tells() && a.flagged && mode != NONE) {
            settle("tells of", a.tag, AckFrame.PASSED, () -> books().told(this, a.tag), () -> take(a, false));
        } else {
            take(a, peer.tells() && mode != NONE && mode != AUTO);
        }
    }

    private void take(Arrival a, boolean tell) {
        peer.world.log(this + " sees " + a.body + ", tag " + a.tag);
        seen = Math.max(seen, a.tag);
        if (a.copy != null) {
            a.copy.seen = true;
        }
        if (a.pushed) {
            peer.tell(
                    FrameType.CREDIT,
                    stream,
                    b -> CreditFrame.write(b, 1, a.bytes),
                    () -> outstanding = Math.max(0, outstanding - 1));
        }
        if (tell) {
            peer.tell(
                    FrameType.ACK,
                    stream,
                    b -> AckFrame.write(b, a.tag, a.tag, AckFrame.PASSED),
                    () -> books().told(this, a.tag));
        }
        if (mode == AUTO && peer.tells()) {
            settle("settles", a.tag, AckFrame.CONSUMED, () -> books().acknowledged(this, a.tag), () -> {});
        } else if (mode == AUTO) {
            acknowledge(List.of(a.tag));
        } else if (mode != NONE) {
            unacknowledged.put(a.tag, a);
        }
    }

    /** An ACK that is answered, and for which the next message waits: what it says is consumed never comes again. */
    private void settle(String what, long tag, int kind, Runnable booked, Runnable then) {
        peer.ask(
                FrameType.SETTLE,
                stream,
                new Durable(what + " [" + tag + "]") {
                    @Override
                    void read() {
                        booked.run();
                        if (kind == AckFrame.CONSUMED) {
                            super.read();
                        }
                    }

                    @Override
                    void after(boolean granted) {
                        then.run();
                    }
                },
                (r, b) -> AckFrame.write(b.writeInt(r), tag, tag, kind));
    }

    private void acknowledge(List<Long> tags) {
        peer.world.log(this + " acknowledges " + tags);
        peer.tell(
                FrameType.ACK,
                stream,
                b -> tags.forEach(t -> AckFrame.write(b, t, t, AckFrame.CONSUMED)),
                () -> tags.forEach(t -> books().acknowledged(this, t)));
    }

    void acknowledgeAll() {
        if (!unacknowledged.isEmpty()) {
            acknowledge(List.copyOf(unacknowledged.keySet()));
            unacknowledged.clear();
        }
    }

    /** Waits until what was acknowledged is safe. */
    void sync() {
        peer.ask(FrameType.SYNC, stream, new Durable("syncs"));
    }

    void commit() {
        acknowledgeAll();
        peer.ask(FrameType.COMMIT, stream, new Blocking("commits") {
            private Deal committed = deal;

            @Override
            void read() {
                committed = deal;
                deal = new Deal();
                books().deals().committing(committed);
            }

            @Override
            void granted() {
                books().deals().committed(committed);
            }

            @Override
            void refused(RefusalCode code, String text) {
                books().deals().refused(PeerSession.this, committed, text);
            }

            @Override
            void after(boolean granted) {
                if (!granted) {
                    undo();
                }
            }
        });
    }

    /** RECOVER or ROLLBACK. */
    void undo() {
        long to = seen;
        unacknowledged.clear();
        peer.ask(
                transacted() ? FrameType.ROLLBACK : FrameType.RECOVER,
                stream,
                new Blocking((transacted() ? "rolls back" : "recovers") + ", seen " + to) {
                    @Override
                    void read() {
                        undoing = true;
                    }

                    @Override
                    void granted() {
                        undoing = false;
                        outstanding = 0;
                        books().deals().undone(PeerSession.this);
                        books().deliveries().returned(PeerSession.this, null, to);
                    }

                    @Override
                    void after(boolean granted) {
                        inbox.clear();
                        consumers.forEach(c -> c.buffer.clear());
                        unacknowledged.clear();
                    }
                },
                (r, b) -> new ClientFrames.Undo(r, to).write(b));
    }

    void close(PeerConsumer c) {
        long to = seen;
        inbox.removeIf(a -> a.consumer == c);
        c.buffer.clear();
        peer.ask(
                FrameType.CLOSE_CONSUMER,
                stream,
                new Blocking("closes " + c + ", seen " + to) {
                    @Override
                    void read() {
                        c.closing();
                        outstanding -= books().deliveries().uncredited(PeerSession.this, c, to);
                        books().deliveries().loosen(PeerSession.this, c, to);
                    }

                    @Override
                    void granted() {
                        books().deliveries().returned(PeerSession.this, c, to);
                        c.close();
                    }

                    @Override
                    void after(boolean granted) {
                        inbox.removeIf(a -> a.consumer == c);
                        c.buffer.clear();
                        consumers.remove(c);
                    }
                },
                (r, b) -> new ClientFrames.CloseConsumer(r, c.number, to).write(b));
    }

    void close() {
        long to = seen;
        peer.ask(
                FrameType.CLOSE_SESSION,
                stream,
                new Blocking("closes, seen " + to) {
                    @Override
                    void read() {
                        closing = true;
                        closedTo = to;
                        consumers.forEach(PeerConsumer::closing);
                        books().deliveries().loosen(PeerSession.this, null, 0);
                    }

                    @Override
                    void granted() {
                        books().deals().undone(PeerSession.this);
                        books().deliveries().returned(PeerSession.this, null, to);
                        closed = true;
                        consumers.forEach(PeerConsumer::close);
                    }

                    @Override
                    void after(boolean granted) {
                        peer.sessions.remove(PeerSession.this);
                    }
                },
                (r, b) -> new ClientFrames.Undo(r, to).write(b));
    }

    void unsubscribe(Slot slot) {
        peer.ask(
                FrameType.UNSUBSCRIBE,
                stream,
                new Blocking("unsubscribes " + slot) {
                    @Override
                    void read() {
                        books().subscriptions().removing(slot);
                    }

                    @Override
                    void granted() {
                        books().subscriptions().removed(slot);
                    }

                    @Override
                    void refused(RefusalCode code, String text) {
                        books().subscriptions().notRemoved(slot, code, text);
                    }
                },
                (r, b) -> new ClientFrames.Unsubscribe(r, slot.key.name()).write(b));
    }

    @Override
    public String toString() {
        return peer + "." + stream;
    }
}
