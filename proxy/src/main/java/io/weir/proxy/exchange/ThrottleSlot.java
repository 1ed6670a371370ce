package io.weir.proxy.exchange;

import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.RequestClass;
import io.weir.kernel.work.WorkManager;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's slot of kernel.request-throttle, and its place in its work manager's capacity. Both are held while the
 * request is processed or waits for its origin's answer; not while it waits for its client, for a connection to its
 * origin, or for its origin to read more of a body, and not after the head of the origin's answer: a slow client or
 * origin, and a request that waits for one, occupies no slot that others need. Owned by its exchange, confined to its
 * muxer.
 */
final class ThrottleSlot {
    private enum State {
        NONE,
        HELD,
        /** Released temporarily, during a wait that must not block others. */
        LENT
    }

    private final ConnectionQueue queue;
    private State state = State.NONE;
    private boolean clientAwaited;
    private boolean connectionAwaited;
    private boolean roomAwaited;
    private ConnectionQueue.@Nullable QueuedRequest holder;
    private @Nullable WorkManager admission;

    ThrottleSlot(ConnectionQueue queue) {
        this.queue = queue;
    }

    /** Admits the request to a work manager, unless it already is; returns false if that has no room. */
    boolean admit(WorkManager mine, Supplier<RequestClass> of) {
        if (admission == mine) {
            return true;
        }
        leaveWork();
        boolean in = mine.admit(of);
        admission = in ? mine : null;
        return in;
    }

    /** The queue granted the slot to this request. */
    void begin(ConnectionQueue.QueuedRequest request) {
        holder = request;
        state = State.HELD;
        clientAwaited = false;
        connectionAwaited = false;
        roomAwaited = false;
    }

    /** Whether it waits for the client's next piece. */
    void awaitsClient(boolean on) {
        clientAwaited = on;
        changed();
    }

    /** Whether it waits for one of its origin's connections, all of which are in use. */
    void awaitsConnection(boolean on) {
        connectionAwaited = on;
        changed();
    }

    /** Whether its origin must read some of the body before there is room for more. */
    void awaitsRoom(boolean on) {
        if (roomAwaited != on) {
            roomAwaited = on;
            changed();
        }
    }

    private void changed() {
        boolean awaits = clientAwaited || connectionAwaited || roomAwaited;
        if (state == State.HELD && awaits) {
            lend();
        } else if (state == State.LENT && !awaits) {
            resume();
        }
    }

    private void lend() {
        state = State.LENT;
        WorkManager was = admission;
        if (was != null) {
            was.leave();
        }
        queue.lent();
    }

    private void resume() {
        state = State.HELD;
        WorkManager was = admission;
        if (was != null) {
            was.reenter();
        }
        queue.resumed();
    }

    /** From now on it only waits for the client, or the exchange is over. */
    void end() {
        State before = state;
        if (before == State.LENT) {
            admission = null;
        }
        leaveWork();
        state = State.NONE;
        ConnectionQueue.QueuedRequest request = holder;
        if (before == State.HELD && request != null) {
            queue.finished(request);
        } else if (before == State.LENT && request != null) {
            queue.left(request);
        }
    }

    private void leaveWork() {
        WorkManager was = admission;
        admission = null;
        if (was != null) {
            was.leave();
        }
    }
}
