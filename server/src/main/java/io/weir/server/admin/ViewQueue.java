package io.weir.server.admin;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Views that wait for the admin loop. The first is built at once; then one after the other, and between two of them the loop
 * looks at its sockets: however many are asked for, what is cheap is answered between two. Each connection has one here at
 * most. Confined to the loop; lives as long as its listener.
 */
final class ViewQueue {
    private static final long PAUSE_MILLIS = 1;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean pausing;

    /** Builds a view, now or in its turn. */
    void build(EventExecutor loop, Runnable view) {
        if (pausing) {
            waiting.add(view);
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
        Runnable view = waiting.poll();
        if (view != null) {
            pause(loop);
            view.run();
        }
    }

    int length() {
        return waiting.size();
    }
}
