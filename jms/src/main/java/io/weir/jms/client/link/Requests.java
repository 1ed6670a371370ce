package io.weir.jms.client.link;

import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection that wait for their answers, by number, at most {@link #MOST}. Shared without locks:
 * any thread adds, the loop takes.
 */
public final class Requests {
    /** Maximum pending requests of a connection; one more is refused with a ResourceAllocationException. */
    public static final int MOST = 4096;

    private final AtomicReferenceArray<@Nullable Pending> places = new AtomicReferenceArray<>(MOST);
    private final AtomicInteger last = new AtomicInteger();
    private volatile @Nullable JMSFailure lost;

    /** Adds a request and assigns its number. On a lost connection it fails at once. */
    public void add(Pending pending) throws JMSException {
        for (int tries = 0; tries < MOST; tries++) {
            int number = last.incrementAndGet() & Integer.MAX_VALUE;
            if (number == 0) {
                continue;
            }
            pending.request = number;
            if (places.compareAndSet(number & MOST - 1, null, pending)) {
                failIfLost(pending);
                return;
            }
        }
        throw new ResourceAllocationException(MOST + " requests wait for the server's answer already", "REQUESTS");
    }

    private void failIfLost(Pending pending) {
        JMSFailure why = lost;
        if (why != null && places.compareAndSet(pending.request & MOST - 1, pending, null)) {
            pending.lost(why);
        }
    }

    /** Removes and returns the request with this number; null if there is none. */
    @Nullable
    public Pending take(int number) {
        Pending p = peek(number);
        return p != null && places.compareAndSet(number & MOST - 1, p, null) ? p : null;
    }

    /** The request with this number, which stays pending. */
    @Nullable
    Pending peek(int number) {
        Pending p = places.get(number & MOST - 1);
        return p != null && p.request == number ? p : null;
    }

    /** Fails all requests, including those added later. */
    public void fail(JMSFailure why) {
        lost = why;
        for (int i = 0; i < MOST; i++) {
            Pending p = places.getAndSet(i, null);
            if (p != null) {
                p.lost(why);
            }
        }
    }
}
