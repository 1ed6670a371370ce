package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ProtocolFault;
import io.weir.kernel.connection.Pressure;
import io.weir.proxy.context.EngineSettings;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.upstream.Fetch;
import org.jspecify.annotations.Nullable;

/** Relays a request's body from the client to the origin. Owned by one exchange, confined to its muxer. */
public final class Upload {
    /** The receiver of the request's body, and of errors in it. */
    interface Owner {
        /** The fetch that sends it; null if there is none. */
        @Nullable
        Fetch fetch();

        /** The body violates HTTP, or its client disconnected within it: the origin must see a truncated request. */
        void broken(@Nullable ProtocolFault fault);
    }

    private final ExchangeState exchange;
    private final Owner owner;
    private final ExchangeCallbacks callbacks;
    private final BodyPace pace = new BodyPace();
    private boolean open;
    private long bytes;

    Upload(ExchangeState exchange, Owner owner, ExchangeCallbacks callbacks) {
        this.exchange = exchange;
        this.owner = owner;
        this.callbacks = callbacks;
    }

    /** Starts a new request, with or without a body. */
    void begin(boolean follows) {
        open = follows;
        bytes = 0;
        pace.begin(exchange.loopContext().settings().clientBodyNanos());
    }

    /** Whether a piece can be accepted now. */
    public boolean wanted() {
        Fetch f = owner.fetch();
        return open && f != null && f.wantsBody();
    }

    /** As {@link #wanted}; while a piece cannot be accepted, the client's time does not run. */
    public boolean ready() {
        boolean wanted = wanted();
        Fetch f = owner.fetch();
        exchange.slot.awaitsRoom(!wanted && f != null && f.full());
        if (!wanted) {
            pace.pause(exchange.loopContext().deadlines().now());
        }
        return wanted;
    }

    /** Starts waiting for the client's next piece: returns the time until {@link #timedOut} is due, in nanoseconds. */
    public long beginWait() {
        exchange.slot.awaitsClient(true);
        LoopContext loop = exchange.loopContext();
        return Pressure.look(pace.await(loop.deadlines().now(), loop.settings().clientBodyNanos()));
    }

    /** A piece has arrived; taken over. */
    public void data(ByteBuf data) {
        exchange.slot.awaitsClient(false);
        EngineSettings settings = exchange.loopContext().settings();
        long now = exchange.loopContext().deadlines().now();
        pace.received(data.readableBytes(), now, settings.clientBodyNanos(), settings.clientBodyRate());
        bytes += data.readableBytes();
        exchange.record().receivedBody(data.readableBytes());
        long max = settings.maxBody();
        Fetch f = owner.fetch();
        if (max > 0 && bytes > max) {
            data.release();
            callbacks.fail(ProxyFault.BODY_TOO_LARGE, "");
        } else if (f == null) {
            data.release();
        } else {
            f.sendBody(data);
        }
    }

    /** The body is complete. */
    public void end(Fields trailers) {
        exchange.slot.awaitsClient(false);
        open = false;
        Fetch f = owner.fetch();
        if (f != null) {
            f.endBody(
                    trailers.size() == 0
                            ? trailers
                            : exchange.loopContext().proxy().passing(trailers));
        }
    }

    /** A batch of pieces has been passed on. */
    public void batchEnd() {
        Fetch f = owner.fetch();
        if (f != null) {
            f.flushBody();
        }
    }

    /** The body violates HTTP, or its client disconnected within it: the origin must see a truncated request. */
    public void broken(@Nullable ProtocolFault fault) {
        owner.broken(fault);
    }

    /**
     * The time of {@link #beginWait} is over: times out a client that has stopped sending, or sends too slowly.
     *
     * @return whether it timed out; else the wait continues
     */
    public boolean timedOut() {
        LoopContext loop = exchange.loopContext();
        if (!pace.over(loop.deadlines().now(), loop.settings().clientBodyNanos())) {
            return false;
        }
        boolean trickled =
                pace.silence(loop.deadlines().now()) < loop.settings().clientBodyNanos();
        (trickled ? loop.counters().bodyRateTimeOuts : loop.counters().bodyTimeOuts).inc();
        exchange.record().clientStatus("TIMEOUT");
        callbacks.fail(ProxyFault.REQUEST_TIME_OUT, "");
        return true;
    }
}
