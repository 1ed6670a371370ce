package io.weir.proxy.exchange;

import io.weir.proxy.context.LoopContext;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.upstream.OriginSide;
import io.weir.proxy.upstream.Upstream;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Provides exchanges for the requests of a muxer's connections, and their shared parts. Confined to the muxer; lives as
 * long as the proxy.
 */
public final class Exchanges {
    /** Exchanges kept for reuse; further ones are left to the garbage collector. */
    private static final int SPARE = 256;

    private final LoopContext loop;
    private final Upstream upstream;
    private final OriginRequests requests;
    private final ErrorAnswers errors;
    private final ArrayDeque<Exchange> spare = new ArrayDeque<>();

    /** @param demo where the demo origin listens */
    public Exchanges(LoopContext loop, OriginSide origins, Supplier<OriginKey> demo, ErrorAnswers errors) {
        this.loop = loop;
        this.upstream = origins.upstream(loop);
        this.requests = new OriginRequests(origins.origins(), demo);
        this.errors = errors;
    }

    public LoopContext loop() {
        return loop;
    }

    public ErrorAnswers errors() {
        return errors;
    }

    /** An exchange, new or reused. */
    public Exchange take() {
        assert loop.here() : "exchanges belong to their muxer";
        Exchange e = spare.poll();
        return e == null ? new Exchange(loop, upstream, requests, errors) : e;
    }

    /** Returns an exchange whose answer is complete. */
    public void recycle(Exchange e) {
        if (e.reusable() && spare.size() < SPARE) {
            spare.push(e);
        }
    }
}
