package io.weir.proxy.http2;

import static io.netty.handler.codec.http2.Http2Error.NO_ERROR;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;

/**
 * Ends a session without losing a request in flight (RFC 9113 section 6.8): a first GOAWAY leaves all streams open and
 * tells the client to open no more; streams already in flight are accepted for one round trip, which a PING measures;
 * the second GOAWAY names the last stream that was accepted, and the connection closes when the open ones are done.
 * Owned by one session, confined to its muxer.
 */
final class GracefulShutdown {
    /** Longest wait for the acknowledgement of the PING. */
    private static final long ROUND_TRIP_NANOS = 1_000_000_000L;

    /** Distinguishes our PING's acknowledgement from unsolicited ones. */
    private static final long PING = 0x77656972_62796521L;

    private enum State {
        OPEN,
        ANNOUNCED,
        FINAL_SENT
    }

    private final Http2Session session;
    private final Deadlines deadlines;
    private final Deadline roundTrip = Deadline.of(this::afterRoundTrip);
    private State state = State.OPEN;

    GracefulShutdown(Http2Session session, Deadlines deadlines) {
        this.session = session;
        this.deadlines = deadlines;
    }

    /** Whether the connection is being ended. */
    boolean closing() {
        return state != State.OPEN;
    }

    /** Starts the graceful shutdown. */
    void begin(ChannelHandlerContext ctx, Goaway why) {
        if (state != State.OPEN || !ctx.channel().isActive()) {
            return;
        }
        transition(State.ANNOUNCED, why);
        goAway(ctx, Integer.MAX_VALUE);
        var _ = session.encoder().writePing(ctx, false, PING, ctx.newPromise());
        deadlines.arm(roundTrip, ROUND_TRIP_NANOS);
        session.flush();
    }

    /** A PING was acknowledged: everything that the client sent before it received the GOAWAY has arrived. */
    void acknowledged(long payload) {
        if (payload == PING) {
            afterRoundTrip();
        }
    }

    private void afterRoundTrip() {
        if (state == State.ANNOUNCED) {
            ChannelHandlerContext ctx = session.ctx();
            sendFinal(ctx, Goaway.CLOSE);
            session.flush();
            streamsDone();
        }
    }

    /** Closes if no stream is open and the final GOAWAY was sent. */
    void streamsDone() {
        if (state == State.FINAL_SENT && session.streams() == 0) {
            session.ctx().write(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) _ -> session.closeOurSide());
            session.flush();
        }
    }

    /** Sends the final GOAWAY with the last stream that was accepted, once. */
    void sendFinal(ChannelHandlerContext ctx, Goaway why) {
        if (state != State.FINAL_SENT && ctx.channel().isActive()) {
            transition(State.FINAL_SENT, why);
            goAway(ctx, session.connection().remote().lastStreamCreated());
        }
    }

    /** The codec sends a GOAWAY with an error. */
    void finalSent(Goaway why) {
        transition(State.FINAL_SENT, why);
    }

    /** The connection is closed. */
    void over() {
        state = State.FINAL_SENT;
        deadlines.disarm(roundTrip);
    }

    private void transition(State next, Goaway why) {
        if (state == State.OPEN) {
            session.counters().goaways(why).inc();
        }
        if (next == State.FINAL_SENT) {
            deadlines.disarm(roundTrip);
        }
        state = next;
    }

    private void goAway(ChannelHandlerContext ctx, int lastStream) {
        var _ = session.goAway(ctx, lastStream, NO_ERROR.code(), Unpooled.EMPTY_BUFFER, ctx.newPromise());
    }
}
