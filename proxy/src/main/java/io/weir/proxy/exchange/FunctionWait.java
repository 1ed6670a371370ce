package io.weir.proxy.exchange;

import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;

/**
 * Bounds how long an exchange waits for a function of its route, by {@code proxy.time-outs.function}. Owned by one
 * exchange, made for its first wait, confined to its muxer.
 */
final class FunctionWait extends Deadline {
    private final LoopContext loop;
    private final Way way;

    FunctionWait(LoopContext loop, Way way) {
        this.loop = loop;
        this.way = way;
    }

    void begin() {
        loop.deadlines().arm(this, loop.settings().functionNanos());
    }

    void end() {
        loop.deadlines().disarm(this);
    }

    @Override
    protected void expired() {
        try {
            way.functionLate();
        } catch (RuntimeException e) {
            way.unexpected(e);
        }
    }
}
