package io.weir.lab.model;

import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;

/** A message on its way to the broker. Confined to its session. */
final class Sending extends Request {
    /** How a message is sent. */
    enum Way {
        /** The application waits for the answer. */
        WAITING,
        /** A completion listener waits for it. */
        ASYNCHRONOUS,
        /** There is none. */
        ONE_WAY
    }

    private static final int PRODUCER = 7;

    private final PeerSession session;
    private final Letter letter;
    private final Way way;

    private Sending(PeerSession session, Letter letter, Way way, String what) {
        super(session.peer.next(), what);
        this.session = session;
        this.letter = letter;
        this.way = way;
    }

    /**
     * Sends a letter.
     *
     * @param timeOut milliseconds that it may wait for room
     */
    static void send(PeerSession s, Letter l, Way way, int timeOut) {
        l.deal = s.transacted() ? s.deal : null;
        int flags = (l.persistent ? SendFrame.PERSISTENT : 0) | (s.transacted() ? SendFrame.TRANSACTED : 0);
        DestinationName to = new DestinationName(l.topic ? DestinationKind.TOPIC : DestinationKind.QUEUE, l.to);
        String what = s + " sends " + l + " to " + to + (l.persistent ? " persistent" : "") + " priority " + l.priority
                + " n " + l.n + " " + l.colour + (l.group == null ? "" : " group " + l.group)
                + (l.deliveryTime == 0 ? "" : " at " + l.deliveryTime)
                + (l.expiration == 0 ? "" : " until " + l.expiration) + " " + way;
        Peer peer = s.peer;
        if (way == Way.ONE_WAY) {
            peer.world.log(what);
            peer.tell(
                    FrameType.SEND,
                    s.stream,
                    b -> {
                        SendFrame.writeHead(b, 0, PRODUCER, flags, timeOut, to);
                        Frames.block(l, peer.id, b);
                    },
                    () -> {
                        peer.oneWayWaits(timeOut);
                        s.books().oneWayRead(l);
                    });
            return;
        }
        Sending sending = new Sending(s, l, way, what);
        sending.patient = timeOut > 0;
        if (way == Way.WAITING) {
            s.blocked = sending;
        } else {
            s.asynchronous++;
        }
        peer.ask(FrameType.SEND, s.stream, sending, (n, b) -> {
            SendFrame.writeHead(b, n, PRODUCER, flags, timeOut, to);
            Frames.block(l, peer.id, b);
        });
    }

    @Override
    void read() {
        letter.waits = patient;
        session.books().sendRead(letter);
    }

    @Override
    void granted() {
        letter.waits = false;
        session.books().sendGranted(letter);
    }

    @Override
    void refused(RefusalCode code, String text) {
        letter.waits = false;
        session.books().sendRefused(letter, code, text);
    }

    @Override
    void arrived(boolean granted) {
        if (way == Way.WAITING) {
            session.blocked = null;
        } else {
            session.asynchronous--;
        }
    }
}
