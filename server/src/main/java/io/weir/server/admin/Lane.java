package io.weir.server.admin;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of clients that have not shown who they are: a few are in progress, a bounded number wait. Whoever sent one
 * request comes before those who sent the next one without reading the answer, and takes their place when all are
 * taken. What nobody waits for any more is dropped. Confined to the admin loop; lives as long as its listener.
 */
final class Lane {
    private final int most;
    private final int capacity;
    private final ArrayDeque<Waiting> single = new ArrayDeque<>();
    private final ArrayDeque<Waiting> staying = new ArrayDeque<>();
    private int running;

    /** A request: exactly one of its two tasks is called, unless its client goes. */
    private record Waiting(BooleanSupplier wanted, Runnable start, Runnable refuse) {}

    /**
     * An empty lane.
     *
     * @param most requests in progress
     * @param capacity requests that wait
     */
    Lane(int most, int capacity) {
        this.most = most;
        this.capacity = capacity;
    }

    /**
     * Starts a request, now or when its turn comes.
     *
     * @param stays whether the request arrived before the client had read the previous answer
     * @param wanted whether the client still waits for the answer
     * @param start starts it; {@link #left} must be called when it has ended
     * @param refuse answers that there is no place
     */
    void enter(boolean stays, BooleanSupplier wanted, Runnable start, Runnable refuse) {
        if (running < most) {
            running++;
            start.run();
            return;
        }
        Waiting next = new Waiting(wanted, start, refuse);
        if (length() >= capacity) {
            List.<Collection<Waiting>>of(single, staying)
                    .forEach(q -> q.removeIf(w -> !w.wanted().getAsBoolean()));
        }
        if (length() >= capacity && (stays || staying.isEmpty())) {
            refuse.run();
            return;
        }
        Waiting victim = length() < capacity ? null : staying.removeLast();
        (stays ? staying : single).add(next);
        if (victim != null) {
            victim.refuse().run();
        }
    }

    /** A request has ended: the next one begins. */
    void left() {
        running--;
        Waiting next = next();
        if (next != null) {
            running++;
            next.start().run();
        }
    }

    private @Nullable Waiting next() {
        while (length() > 0) {
            Waiting next = single.isEmpty() ? staying.remove() : single.remove();
            if (next.wanted().getAsBoolean()) {
                return next;
            }
        }
        return null;
    }

    private int length() {
        return single.size() + staying.size();
    }
}
