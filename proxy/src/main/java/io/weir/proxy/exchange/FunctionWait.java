package io.weir.proxy.exchange;

import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;

/**
 * Bounds how long an exchange waits for a function of its route, by {@code proxy.time-outs.function}. Owned by one
 * exchange, made for its first wait, confined to its muxer.
 */
final class FunctionWait extends Deadline {
    private final LoopContext loop;
    private final ExchangeCallbacks callbacks;

    FunctionWait(LoopContext loop, ExchangeCallbacks callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
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
            callbacks.functionTimedOut();
        } catch (RuntimeException e) {
            callbacks.unexpected(e);
        }
    }
}
