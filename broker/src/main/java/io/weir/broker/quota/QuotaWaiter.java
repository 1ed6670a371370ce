package io.weir.broker.quota;

import io.weir.broker.loop.BrokerLoop;
import io.weir.jms.frames.DestinationName;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request that waits for room in a quota; it ends exactly once, granted, timed out or failed. Shared between the loop
 * of its session and the quota's home; ends on the session's loop.
 */
public abstract class QuotaWaiter {
    /** The state of the request. */
    public enum Outcome {
        WAITING,
        GRANTED,
        TIMED_OUT,
        FAILED
    }

    private final AtomicReference<Outcome> outcome = new AtomicReference<>(Outcome.WAITING);
    private final BrokerLoop loop;
    private final long size;
    private volatile int taken;

    /** @param loop where {@link #ended} is called */
    protected QuotaWaiter(BrokerLoop loop, long size) {
        this.loop = loop;
        this.size = size;
    }

    long size() {
        return size;
    }

    /**
     * The number of queues and subscriptions that would refer to the message now, in addition to the first. From any
     * thread.
     */
    public int further() {
        return 0;
    }

    /** Whether it waits for room for a message of this destination. From any thread. */
    public boolean isFor(DestinationName destination) {
        return false;
    }

    /** Room was reserved for this many further references. Called on the quota's home loop. */
    void takes(int further) {
        taken = further;
    }

    /** The number of further references that room was reserved for. */
    public int taken() {
        return taken;
    }

    public boolean isWaiting() {
        return outcome.get() == Outcome.WAITING;
    }

    /** Ends it unless it has ended; returns true if this call ended it. From any thread. */
    public boolean end(Outcome how) {
        if (!outcome.compareAndSet(Outcome.WAITING, how)) {
            return false;
        }
        loop.run(() -> ended(how));
        return true;
    }

    /** Called once with the outcome; with GRANTED the room is reserved. */
    public abstract void ended(Outcome how);
}
