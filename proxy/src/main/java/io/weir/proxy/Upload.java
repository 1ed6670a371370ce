package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ProtocolFault;
import io.weir.kernel.Pressure;
import io.weir.proxy.program.ProxyFault;
import org.jspecify.annotations.Nullable;

/** A request's body on its way from the client to the origin. Owned by one exchange, confined to its muxer. */
final class Upload {
    private final Exchange exchange;
    private final BodyPace pace = new BodyPace();
    private boolean open;
    private long bytes;

    Upload(Exchange exchange) {
        this.exchange = exchange;
    }

    /** A new request, with a body to come or without. */
    void begin(boolean follows) {
        open = follows;
        bytes = 0;
        pace.begin(exchange.loopContext().settings().clientBodyNanos());
    }

    /** Whether a piece can be taken now. */
    boolean wanted() {
        Fetch f = exchange.fetch();
        return open && f != null && f.wantsBody();
    }

    /** As {@link #wanted}; while a piece can not be taken, the client's time stands still. */
    boolean ready() {
        boolean wanted = wanted();
        Fetch f = exchange.fetch();
        exchange.slot.awaitsRoom(!wanted && f != null && f.full());
        if (!wanted) {
            pace.pause(exchange.loopContext().deadlines().now());
        }
        return wanted;
    }

    /** The client's next piece is waited for: how long until {@link #timedOut} is due, in nanoseconds. */
    long patience() {
        exchange.slot.awaitsClient(true);
        LoopContext loop = exchange.loopContext();
        return Pressure.look(pace.await(loop.deadlines().now(), loop.settings().clientBodyNanos()));
    }

    /** A piece has come; taken over. */
    void data(ByteBuf data) {
        exchange.slot.awaitsClient(false);
        EngineSettings settings = exchange.loopContext().settings();
        long now = exchange.loopContext().deadlines().now();
        pace.came(data.readableBytes(), now, settings.clientBodyNanos(), settings.clientBodyRate());
        bytes += data.readableBytes();
        exchange.record().receivedBody(data.readableBytes());
        long max = settings.maxBody();
        Fetch f = exchange.fetch();
        if (max > 0 && bytes > max) {
            data.release();
            exchange.fail(ProxyFault.BODY_TOO_LARGE, "");
        } else if (f == null) {
            data.release();
        } else {
            f.sendBody(data);
        }
    }

    /** The body is complete. */
    void end(Fields trailers) {
        exchange.slot.awaitsClient(false);
        open = false;
        Fetch f = exchange.fetch();
        if (f != null) {
            f.endBody(
                    trailers.size() == 0
                            ? trailers
                            : exchange.loopContext().proxy().passing(trailers));
        }
    }

    /** All that was read at once has been handed over. */
    void batchEnd() {
        Fetch f = exchange.fetch();
        if (f != null) {
            f.flushBody();
        }
    }

    /** The body breaks HTTP, or its client left within it: the origin sees a request that is cut. */
    void broken(@Nullable ProtocolFault fault) {
        exchange.direct().cancel();
        if (fault == null || exchange.response().started()) {
            exchange.abort();
        } else {
            exchange.loopContext().errors().refuse(exchange.client(), fault);
            exchange.finish();
        }
    }

    /**
     * What {@link #patience} said is over: a client that has stopped sending, or sends too slowly, is given up.
     *
     * @return whether it is; else it is waited for again
     */
    boolean timedOut() {
        LoopContext loop = exchange.loopContext();
        if (!pace.over(loop.deadlines().now(), loop.settings().clientBodyNanos())) {
            return false;
        }
        boolean trickled =
                pace.silence(loop.deadlines().now()) < loop.settings().clientBodyNanos();
        (trickled ? loop.counters().bodyRateTimeOuts : loop.counters().bodyTimeOuts).inc();
        exchange.record().clientStatus("TIMEOUT");
        exchange.fail(ProxyFault.REQUEST_TIME_OUT, "");
        return true;
    }
}
