package io.weir.broker.loop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.report.BrokerStats;
import io.weir.kernel.mux.Muxer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** A muxer's event loop as the broker uses it. Shared, as {@link BrokerLoop} says. */
public final class MuxerLoop extends BrokerLoop {
    private final EventLoop loop;
    private final Mailbox mailbox;

    public MuxerLoop(Muxer muxer, Clock clock, IntSupplier mailboxCapacity, Stats stats, Log log) {
        super(muxer.index(), clock);
        this.loop = muxer.eventLoop();
        String label = Integer.toString(muxer.index());
        this.mailbox = new Mailbox(
                muxer.index(), this::execute, mailboxCapacity, stats.counter(BrokerStats.MAILBOX_REFUSED, label), log);
        stats.gauge(BrokerStats.MAILBOX_LENGTH, mailbox::length, label);
        stats.gauge(BrokerStats.MEMORY_PINNED, buffers()::pinned, label);
        stats.counter(BrokerStats.MEMORY_MOVED, buffers()::moved, label);
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
    public boolean isCurrent() {
        return loop.inEventLoop();
    }

    @Override
    public void post(Runnable action) {
        mailbox.post(action);
    }

    @Override
    public boolean offer(Runnable action) {
        return mailbox.offer(action);
    }

    @Override
    public void catchUp() {
        if (mailbox.length() > 0) {
            mailbox.drain();
        }
    }

    @Override
    public Timer after(long nanos, Runnable action) {
        ScheduledFuture<?> scheduled = loop.schedule(action, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }
}
