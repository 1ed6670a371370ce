package io.weir.proxy;

import io.weir.proxy.cache.Fill;
import io.weir.proxy.cache.FillFailure;
import io.weir.proxy.program.RunState;

/** Validates a stale object behind an answer that was given from it (RFC 5861 section 3). Stateless. */
final class Background {
    private Background() {}

    /** Fetches for the store with the exchange's request; the exchange itself is answered already. */
    static void validate(Exchange exchange, Fill fill) {
        exchange.reuse.hold();
        FillFeed feed = new FillFeed(exchange.loopContext(), fill, null);
        fill.lead(feed);
        Upstream upstream = exchange.run().service() == RunState.READY ? Upstreams.of(exchange, true) : null;
        if (upstream == null) {
            fill.resign(new FillFailure(503, "no route for a validation in the background"));
            return;
        }
        exchange.loopContext().counters().fetches.inc();
        feed.start(upstream);
    }
}
