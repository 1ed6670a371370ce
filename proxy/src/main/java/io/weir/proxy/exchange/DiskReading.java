package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.weir.http.semantics.Ranges;
import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.cache.disk.BodyStream;
import io.weir.proxy.cache.disk.DiskLoad;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.StoredObject;
import io.weir.proxy.context.LoopContext;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's part in reads of the disk: it waits for an answer that is brought into memory, and looks again; it
 * passes a body that stays on the disk to the client. Each wait is bounded by {@code cache.disk.read-time-out}. Owned
 * by one exchange, made for its first use, confined to its muxer.
 */
final class DiskReading extends Deadline implements DiskLoad.Waiter, BodyStream.Reader {
    private final ExchangeState exchange;
    private final LoopContext loop;
    private final CacheLookUp lookUp;
    private final ExchangeCallbacks callbacks;
    private @Nullable DiskLoad awaited;
    private @Nullable BodyStream body;
    private Ranges.@Nullable Span span;
    /** The disk took too long. */
    private boolean late;

    DiskReading(ExchangeState exchange, CacheLookUp lookUp, ExchangeCallbacks callbacks) {
        this.exchange = exchange;
        this.loop = exchange.loopContext();
        this.lookUp = lookUp;
        this.callbacks = callbacks;
    }

    /** Returns false if the load is over. */
    boolean begin(DiskLoad load) {
        if (!load.await(this)) {
            return false;
        }
        awaited = load;
        arm();
        return true;
    }

    private void arm() {
        loop.deadlines()
                .arm(this, loop.proxy().cache().settings().disk().readTimeOut().toNanos());
    }

    /** The exchange does not wait any more; a late call finds nothing to do. */
    void end() {
        if (awaited != null) {
            awaited = null;
            loop.deadlines().disarm(this);
        }
        BodyStream sent = body;
        body = null;
        span = null;
        late = false;
        if (sent != null) {
            loop.deadlines().disarm(this);
            exchange.response().count(sent.sent());
            sent.close();
        }
    }

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void afterPoll(Runnable task) {
        loop.muxer().afterPoll(task);
    }

    @Override
    public int socket() {
        return exchange.client().socket();
    }

    @Override
    public long now() {
        return loop.deadlines().now();
    }

    @Override
    public void loaded(DiskLoad load) {
        if (load == awaited) {
            end();
            again();
        }
    }

    @Override
    public void more() {
        if (body != null) {
            callbacks.more();
        }
    }

    @Override
    protected void expired() {
        if (awaited != null) {
            awaited = null;
            loop.proxy().cache().disk().timedOut();
            again();
        } else if (body != null) {
            late = true;
            loop.proxy().cache().disk().timedOut();
            body.giveUp();
            more();
        }
    }

    private void again() {
        try {
            callbacks.lookAgain();
        } catch (RuntimeException e) {
            callbacks.unexpected(e);
        }
    }

    /** Passes what the disk has to the client, as far as the client reads. */
    Step stream() {
        StoredObject object = exchange.stored;
        LowerBody below = object == null ? null : object.below();
        if (object == null || below == null) {
            throw new IllegalStateException("no body below the memory");
        }
        Ranges.Span part = span;
        if (body == null) {
            part = StoredAnswer.below(exchange, object);
            if (part == null) {
                return Step.ANSWERED;
            }
            exchange.reuse.hold();
            span = part;
            body = BodyStream.of(
                    below, part.first(), part.last() + 1, exchange.client().alloc(), this);
        }
        BodyStream from = body;
        exchange.response().count(from.sent());
        while (part != null && exchange.client().writable()) {
            FileRegion uncopied = late ? null : from.part();
            ByteBuf piece = late || uncopied != null ? null : from.next();
            if (piece == null && uncopied == null) {
                return pause(from);
            }
            if (!exchange.response().started()) {
                StoredAnswer.headOfBelow(exchange, object, part);
            }
            if (piece != null) {
                exchange.response().data(piece);
            } else if (uncopied != null) {
                exchange.response().data(uncopied);
            }
        }
        // for a client that does not read there is the write time-out
        loop.deadlines().disarm(this);
        return Step.WAIT;
    }

    private Step pause(BodyStream from) {
        if (from.sending()) {
            loop.deadlines().disarm(this);
            return Step.WAIT;
        }
        if (!late && !from.failed() && !from.ended()) {
            exchange.show(SessionStatus.AWAITING_FETCH);
            arm();
            return Step.WAIT;
        }
        boolean whole = from.ended();
        Ranges.Span sent = span;
        end();
        if (whole) {
            return exchange.response().end(null) ? Step.ANSWERED : Step.ABORT;
        }
        if (exchange.response().started() && sent != null) {
            return lookUp.continues(sent.first() + exchange.response().bodyBytes(), sent.last() + 1);
        }
        exchange.forgetStored();
        lookUp.withoutDisk();
        return Step.DECIDE;
    }
}
