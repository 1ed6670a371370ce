package io.weir.server.admin;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Views that wait for the admin loop. The first is built at once; then one after the other, vital ones before others, and
 * between two of them the loop looks at its sockets: however many are asked for, what is cheap is answered between two. Each
 * connection has one here at most; those of connections that were given up are left out. Confined to the loop; lives as long
 * as its listener.
 */
final class ViewQueue {
    private static final long PAUSE_MILLIS = 1;

    /** So many may be of connections that are gone. */
    private static final int LEFT = 256;

    private final ArrayDeque<Waiting> vital = new ArrayDeque<>();
    private final ArrayDeque<Waiting> others = new ArrayDeque<>();
    private int sweepAt = LEFT;
    private boolean pausing;

    private record Waiting(BooleanSupplier wanted, Runnable view) {}

    /**
     * Builds a view, now or in its turn.
     *
     * @param wanted whether somebody waits for it yet
     */
    void build(EventExecutor loop, boolean isVital, BooleanSupplier wanted, Runnable view) {
        if (pausing) {
            (isVital ? vital : others).add(new Waiting(wanted, view));
            if (length() >= sweepAt) {
                vital.removeIf(w -> !w.wanted().getAsBoolean());
                others.removeIf(w -> !w.wanted().getAsBoolean());
                sweepAt = length() + LEFT;
            }
            return;
        }
        pause(loop);
        view.run();
    }

    private void pause(EventExecutor loop) {
        pausing = true;
        var _ = loop.schedule(() -> next(loop), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void next(EventExecutor loop) {
        pausing = false;
        Waiting next = wanted(vital);
        next = next == null ? wanted(others) : next;
        if (next != null) {
            pause(loop);
            next.view().run();
        }
    }

    private static @Nullable Waiting wanted(ArrayDeque<Waiting> from) {
        Waiting next = from.poll();
        while (next != null && !next.wanted().getAsBoolean()) {
            next = from.poll();
        }
        return next;
    }

    int length() {
        return vital.size() + others.size();
    }
}
