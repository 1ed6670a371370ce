package io.weir.broker;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.base.Clock;
import io.weir.kernel.Muxer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A muxer's event loop as the broker uses it. Shared, as {@link Loop} says. */
final class MuxerLoop extends Loop {
    private final EventLoop loop;
    private final Mailbox mailbox;

    MuxerLoop(Muxer muxer, Clock clock, BrokerParts parts) {
        super(muxer.index(), clock);
        this.loop = muxer.eventLoop();
        String label = Integer.toString(muxer.index());
        this.mailbox = new Mailbox(
                muxer.index(),
                this::execute,
                () -> parts.config().get().limits().mailboxCapacity(),
                parts.stats().counter(BrokerStats.MAILBOX_REFUSED, label),
                parts.log());
        parts.stats().gauge(BrokerStats.MAILBOX_LENGTH, mailbox::length, label);
        parts.stats().gauge(BrokerStats.MEMORY_PINNED, buffers()::pinned, label);
        parts.stats().counter(BrokerStats.MEMORY_MOVED, buffers()::moved, label);
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            if (!loop.isShuttingDown()) {
                throw e;
            }
        }
    }

    EventLoop eventLoop() {
        return loop;
    }

    @Override
    boolean isCurrent() {
        return loop.inEventLoop();
    }

    @Override
    void post(Runnable action) {
        mailbox.post(action);
    }

    @Override
    boolean offer(Runnable action) {
        return mailbox.offer(action);
    }

    @Override
    void catchUp() {
        if (mailbox.length() > 0) {
            mailbox.drain();
        }
    }

    @Override
    Timer after(long nanos, Runnable action) {
        ScheduledFuture<?> scheduled = loop.schedule(action, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }
}
