package io.weir.proxy.http2;

import static io.netty.handler.codec.http2.Http2Error.NO_ERROR;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;

/**
 * How a session ends without losing a request in flight (RFC 9113 section 6.8): a first GOAWAY leaves all
 * streams open and asks the client to open no more; streams already under way are accepted until a round trip is over,
 * which a PING measures; the second GOAWAY names the last stream that was taken, and the connection closes when the
 * open ones are done. Owned by one session, confined to its muxer.
 */
final class Goodbye {
    /** Who does not acknowledge within this time is not waited for. */
    private static final long ROUND_TRIP_NANOS = 1_000_000_000L;

    /** Distinguishes our PING's acknowledgement from unsolicited ones. */
    private static final long PING = 0x77656972_62796521L;

    private enum State {
        STAYING,
        ANNOUNCED,
        SAID
    }

    private final Http2Session session;
    private final Deadlines deadlines;
    private final Deadline roundTrip = Deadline.of(this::sayLast);
    private State state = State.STAYING;

    Goodbye(Http2Session session, Deadlines deadlines) {
        this.session = session;
        this.deadlines = deadlines;
    }

    /** Whether the connection is not to be kept. */
    boolean begun() {
        return state != State.STAYING;
    }

    /** Begins to leave, in order. */
    void begin(ChannelHandlerContext ctx, Goaway why) {
        if (state != State.STAYING || !ctx.channel().isActive()) {
            return;
        }
        transition(State.ANNOUNCED, why);
        goAway(ctx, Integer.MAX_VALUE);
        var _ = session.encoder().writePing(ctx, false, PING, ctx.newPromise());
        deadlines.arm(roundTrip, ROUND_TRIP_NANOS);
        session.flush();
    }

    /** A PING came back: what the client sent before it knew is all here. */
    void acknowledged(long payload) {
        if (payload == PING) {
            sayLast();
        }
    }

    private void sayLast() {
        if (state == State.ANNOUNCED) {
            ChannelHandlerContext ctx = session.ctx();
            say(ctx, Goaway.CLOSE);
            session.flush();
            streamsDone();
        }
    }

    /** Closes where no stream is open and the last word was said. */
    void streamsDone() {
        if (state == State.SAID && session.streams() == 0) {
            session.ctx().write(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            session.flush();
        }
    }

    /** Names the last stream that was taken, once. */
    void say(ChannelHandlerContext ctx, Goaway why) {
        if (state != State.SAID && ctx.channel().isActive()) {
            transition(State.SAID, why);
            goAway(ctx, session.connection().remote().lastStreamCreated());
        }
    }

    /** The codec says it, with an error. */
    void said(Goaway why) {
        transition(State.SAID, why);
    }

    /** The connection is closed. */
    void over() {
        state = State.SAID;
        deadlines.disarm(roundTrip);
    }

    private void transition(State next, Goaway why) {
        if (state == State.STAYING) {
            session.counters().goaways(why).inc();
        }
        if (next == State.SAID) {
            deadlines.disarm(roundTrip);
        }
        state = next;
    }

    private void goAway(ChannelHandlerContext ctx, int lastStream) {
        var _ = session.goAway(ctx, lastStream, NO_ERROR.code(), Unpooled.EMPTY_BUFFER, ctx.newPromise());
    }
}
