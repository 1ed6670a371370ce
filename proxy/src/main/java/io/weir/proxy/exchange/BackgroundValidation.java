package io.weir.proxy.exchange;

import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RunState;

/** Validates a stale object after an answer was served from it (RFC 5861 section 3). Stateless. */
final class BackgroundValidation {
    private BackgroundValidation() {}

    /** If the hit requires it, fetches for the store with the exchange's request, which is already answered. */
    static void of(ExchangeState exchange, Decision.Hit hit, OriginRequests requests) {
        Fill fill = hit.revalidation();
        if (fill == null) {
            return;
        }
        exchange.reuse.hold();
        FillFeed feed = new FillFeed(exchange.upstream(), fill, null);
        fill.lead(feed);
        ProgramRun run = exchange.run();
        boolean ready = run.service() == RunState.READY && run.connect() == RunState.READY;
        OriginRequest upstream = ready ? requests.of(exchange, true) : null;
        if (upstream == null) {
            fill.resign(new FillFailure(503, "no route for a validation in the background"));
            return;
        }
        exchange.loopContext().counters().fetches.inc();
        feed.start(upstream);
    }
}
