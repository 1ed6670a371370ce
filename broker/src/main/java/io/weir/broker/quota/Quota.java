package io.weir.broker.quota;

import io.weir.base.Counter;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.broker.config.QuotaPolicy;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.DestinationName;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Room for messages that destinations share (WebLogic's Quota): every message counts from its acceptance until it is
 * removed, whether it is available, delayed, uncommitted or at a consumer. Shared by all loops; requests that must wait
 * are queued in {@link QuotaWaiters}.
 */
public final class Quota {
    /** The bounds in force. */
    public record Bounds(long messages, long bytes, QuotaPolicy policy) {}

    private final String name;
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final QuotaWaiters waiters;
    private final Stats stats;
    private final Counter waits;
    private final Counter refused;
    private final MessageMemory memory;
    private volatile Bounds bounds;

    /**
     * Creates a quota.
     *
     * @param home the loop on which waiting requests are served
     * @param memory the bound that counts besides
     */
    Quota(String name, Bounds bounds, BrokerLoop home, Stats stats, MessageMemory memory) {
        this.name = name;
        this.memory = memory;
        this.stats = stats;
        this.bounds = bounds;
        this.waiters = new QuotaWaiters(this, home);
        this.waits = stats.counter(BrokerStats.QUOTA_WAITS, name);
        this.refused = stats.counter(BrokerStats.QUOTA_REFUSED, name);
        stats.gauge(BrokerStats.QUOTA_MESSAGES, messages::get, name);
        stats.gauge(BrokerStats.QUOTA_BYTES, bytes::get, name);
        stats.gauge(BrokerStats.QUOTA_WAITING, waiters::waiting, name);
    }

    /** Removes its figures from the statistics. */
    void withdraw() {
        for (StatSpec s : BrokerStats.ALL) {
            if (s.labels().equals(List.of("quota"))) {
                stats.remove(s, name);
            }
        }
    }

    public String name() {
        return name;
    }

    public Bounds bounds() {
        return bounds;
    }

    public long messages() {
        return messages.get();
    }

    public long bytes() {
        return bytes.get();
    }

    /** Sets new bounds: messages over them stay, new requests wait or are refused until enough is consumed. */
    public void bounds(Bounds next) {
        bounds = next;
        waiters.wake();
    }

    /**
     * Reserves room for a message; returns false if there is none, or if other requests are queued before it (FIFO).
     *
     * @param more queues and subscriptions that will refer to it in addition to the first
     */
    public boolean reserve(long size, int more) {
        Bounds b = bounds;
        if (waiters.waiting() > 0 && b.policy() == QuotaPolicy.FIFO) {
            return false;
        }
        return take(size, more, b);
    }

    /** Counts a message regardless of the bounds: for messages that exist already (recovered, redirected). */
    public void force(long size) {
        messages.incrementAndGet();
        bytes.addAndGet(size);
        memory.force(size);
    }

    /**
     * Counts references of subscriptions in addition to a message's first; a negative number uncounts released ones.
     */
    public void refer(int more) {
        memory.refer(more);
        if (more < 0 && waiters.waiting() > 0) {
            waiters.wake();
        }
    }

    /** Reserves room regardless of waiting requests. */
    boolean take(long size, int more, Bounds b) {
        if (messages.incrementAndGet() > b.messages()) {
            messages.decrementAndGet();
            return false;
        }
        if (bytes.addAndGet(size) > b.bytes() || !memory.take(size, more)) {
            bytes.addAndGet(-size);
            messages.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Whether there is no room for any message now, however small. */
    boolean isFull(Bounds b) {
        return messages.get() >= b.messages() || bytes.get() >= b.bytes();
    }

    /** Why there is no room for a message: the bound that is exceeded and how to raise it. */
    public String full(long size, int more) {
        Bounds b = bounds;
        boolean count = messages.get() >= b.messages();
        if (count || bytes.get() + size > b.bytes()) {
            return "in quota " + name + ", which holds "
                    + (count
                            ? messages.get() + " of " + b.messages() + " messages: consume, raise its messages-maximum"
                            : bytes.get() + " of " + b.bytes() + " bytes: consume, raise its bytes-maximum");
        }
        String lacking = memory.lacking(size, more);
        return lacking != null ? lacking : "in quota " + name + " before those that wait already: send again";
    }

    /** Releases a message's room. */
    public void release(long size) {
        messages.decrementAndGet();
        bytes.addAndGet(-size);
        memory.release(size);
        if (waiters.waiting() > 0) {
            waiters.wake();
        }
    }

    /** Serves waiting requests after memory became free. */
    void wake() {
        if (waiters.waiting() > 0) {
            waiters.wake();
        }
    }

    /** Queues a request until there is room; see {@link QuotaWaiter}. */
    public void await(QuotaWaiter waiter) {
        waits.inc();
        waiters.add(waiter);
    }

    /** A waiting request was cancelled: those behind it may have room. */
    public void cancelled(QuotaWaiter waiter) {
        waiters.cancelled(waiter);
    }

    /** Fails the waiting requests for one destination, which takes no more messages, or has another quota. */
    public void failWaiters(DestinationName destination) {
        waiters.fail(destination);
    }

    public void countRefused() {
        refused.inc();
    }

    public long waited() {
        return waits.value();
    }

    public long refused() {
        return refused.value();
    }

    public int waiting() {
        return waiters.waiting();
    }
}
