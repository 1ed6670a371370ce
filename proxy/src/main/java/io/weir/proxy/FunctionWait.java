package io.weir.proxy;

import io.weir.kernel.Deadline;

/**
 * Bounds how long an exchange waits for a function of its route, by {@code proxy.time-outs.function}. Owned by one
 * exchange, made for its first wait, confined to its muxer.
 */
final class FunctionWait extends Deadline {
    private final Exchange exchange;

    FunctionWait(Exchange exchange) {
        this.exchange = exchange;
    }

    void begin() {
        LoopContext loop = exchange.loopContext();
        loop.deadlines().arm(this, loop.settings().functionNanos());
    }

    void end() {
        exchange.loopContext().deadlines().disarm(this);
    }

    @Override
    protected void expired() {
        try {
            exchange.functionLate();
        } catch (RuntimeException e) {
            exchange.unexpected(e);
        }
    }
}
