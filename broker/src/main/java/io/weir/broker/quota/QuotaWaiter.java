package io.weir.broker.quota;

import io.weir.broker.loop.BrokerLoop;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request that waits for room in a quota: granted, timed out or failed, exactly one of them. Shared between the loop of
 * its session and the quota's home; ends on the session's loop.
 */
public abstract class QuotaWaiter {
    /** How it stands. */
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

    /** Queues and subscriptions that would refer to the message now, beside the first. From any thread. */
    public int further() {
        return 0;
    }

    /** Room was taken for so many. By the quota's home. */
    void takes(int further) {
        taken = further;
    }

    /** For how many room was taken. */
    public int taken() {
        return taken;
    }

    public boolean isWaiting() {
        return outcome.get() == Outcome.WAITING;
    }

    /** Ends it unless it ended; true when this call did. From any thread. */
    public boolean end(Outcome how) {
        if (!outcome.compareAndSet(Outcome.WAITING, how)) {
            return false;
        }
        loop.run(() -> ended(how));
        return true;
    }

    /** What to do now; with GRANTED the room is taken. */
    public abstract void ended(Outcome how);
}
