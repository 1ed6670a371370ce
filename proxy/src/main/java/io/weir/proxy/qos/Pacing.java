package io.weir.proxy.qos;

import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one muxer that wait for bandwidth, served in turn at each tick of the muxer's deadlines. Confined to
 * the muxer; lives as long.
 */
public final class Pacing extends Deadline {
    private final Deadlines deadlines;
    private final AtomicInteger paced;
    private final ArrayDeque<Pacer> waiting = new ArrayDeque<>();

    public Pacing(Deadlines deadlines, Qos qos) {
        this.deadlines = deadlines;
        this.paced = qos.paced();
    }

    long now() {
        return deadlines.now();
    }

    void add(Pacer pacer) {
        waiting.addLast(pacer);
        paced.incrementAndGet();
        if (!armed()) {
            deadlines.arm(this, Deadlines.TICK_NANOS);
        }
    }

    void remove(Pacer pacer) {
        if (waiting.remove(pacer)) {
            paced.decrementAndGet();
        }
    }

    @Override
    protected void expired() {
        int turns = waiting.size();
        // the first one of the last tick is the last of this one
        Pacer first = turns > 1 ? waiting.pollFirst() : null;
        if (first != null) {
            waiting.addLast(first);
        }
        for (int i = 0; i < turns; i++) {
            Pacer next = waiting.pollFirst();
            if (next == null) {
                break;
            }
            if (next.turn()) {
                waiting.addLast(next);
            } else {
                paced.decrementAndGet();
            }
        }
        if (!waiting.isEmpty()) {
            deadlines.arm(this, Deadlines.TICK_NANOS);
        }
    }
}
