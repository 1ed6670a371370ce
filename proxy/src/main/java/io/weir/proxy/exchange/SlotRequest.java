package io.weir.proxy.exchange;

import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.WorkPlace;
import io.weir.proxy.context.LoopContext;
import org.jspecify.annotations.Nullable;

/** An exchange as the connection queue sees it. Owned by one exchange, confined to its muxer; lives as long. */
final class SlotRequest implements ConnectionQueue.QueuedRequest {
    /** The owner that waits for the slot. */
    interface Owner {
        /** The slot was granted. */
        void started();

        /** No slot will be granted. */
        void busy();
    }

    private final ExchangeState exchange;
    private final LoopContext loop;
    private final Owner owner;
    /** The work manager and class that it waits in; null: the defaults. */
    private @Nullable WorkPlace place;

    SlotRequest(ExchangeState exchange, Owner owner) {
        this.exchange = exchange;
        this.loop = exchange.loopContext();
        this.owner = owner;
    }

    /** Requests a slot; the callback may be called before this returns. Returns false if its work manager is full. */
    boolean enter() {
        exchange.reuse.entering();
        exchange.show(SessionStatus.QUEUED);
        if (!exchange.admit()) {
            return false;
        }
        place = loop.proxy().pools().place(exchange.run());
        loop.kernel().connectionQueue().enter(exchange.loop(), this);
        exchange.reuse.entered();
        return true;
    }

    @Override
    public boolean cancelled() {
        return !exchange.alive();
    }

    @Override
    public @Nullable WorkPlace place() {
        return place;
    }

    @Override
    public void start() {
        exchange.slot.begin(this);
        exchange.reuse.started();
        if (exchange.alive()) {
            owner.started();
        } else {
            exchange.slot.end();
        }
    }

    @Override
    public void busy() {
        if (exchange.alive()) {
            owner.busy();
        }
    }
}
