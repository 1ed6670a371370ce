package io.weir.proxy.exchange;

import io.weir.proxy.context.LoopContext;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.upstream.Origins;
import io.weir.proxy.upstream.Upstream;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Where a muxer's connections get exchanges for their requests, and what these share. Confined to the muxer; lives as
 * long as the proxy.
 */
public final class Exchanges {
    /** Exchanges kept for reuse; more are left to the collector. */
    private static final int SPARE = 256;

    private final LoopContext loop;
    private final Upstream upstream;
    private final OriginRequests requests;
    private final ErrorAnswers errors;
    private final ArrayDeque<Exchange> spare = new ArrayDeque<>();

    /**
     * @param pools binds routes that functions made to pools of their own
     * @param demo where the demo origin listens
     */
    public Exchanges(
            LoopContext loop, Upstream upstream, Origins pools, Supplier<OriginKey> demo, ErrorAnswers errors) {
        this.loop = loop;
        this.upstream = upstream;
        this.requests = new OriginRequests(pools, demo);
        this.errors = errors;
    }

    public LoopContext loop() {
        return loop;
    }

    public ErrorAnswers errors() {
        return errors;
    }

    /** An exchange, fresh or used before. */
    public Exchange take() {
        assert loop.here() : "exchanges belong to their muxer";
        Exchange e = spare.poll();
        return e == null ? new Exchange(loop, upstream, requests, errors) : e;
    }

    /** Takes an exchange back whose answer is complete. */
    public void recycle(Exchange e) {
        if (e.reusable() && spare.size() < SPARE) {
            spare.push(e);
        }
    }
}
