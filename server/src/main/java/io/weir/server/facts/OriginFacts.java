package io.weir.server.facts;

import io.weir.proxy.Proxy;
import io.weir.proxy.pool.PoolCounts;
import io.weir.proxy.pool.PoolServer;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.pool.Standing;
import io.weir.server.figures.origins.OriginFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of pools of origin servers. Immutable. */
record OriginFacts(Proxy proxy) {
    /** The pools of origin servers; removed servers are shown while they have outstanding requests. */
    List<OriginFigures> figures() {
        List<OriginFigures> all = new ArrayList<>();
        for (ServerPool p : proxy.origins().pools()) {
            List<OriginFigures.Server> servers = new ArrayList<>();
            p.servers().forEach(s -> servers.add(server(p, s)));
            p.leaving().forEach(s -> servers.add(server(p, s)));
            PoolCounts c = p.counts();
            all.add(new OriginFigures(
                    p.name(),
                    p.rules().balance().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    c.retries(),
                    c.retriesRefused(),
                    c.refusedBusy(),
                    c.refusedDown(),
                    c.stickyFollowed(),
                    c.stickyStrayed(),
                    c.stickyUnknown(),
                    servers));
        }
        return all;
    }

    private static OriginFigures.Server server(ServerPool pool, PoolServer s) {
        Standing now = s.health().standing();
        return new OriginFigures.Server(
                pool.name(),
                s.name(),
                s.route(),
                s.leaving() ? "leaving" : now.state().word(),
                now.reason(),
                now.sinceMillis(),
                s.weight(),
                s.active(),
                s.requests(),
                s.failures(),
                s.busy(),
                s.downs(),
                s.checksPassed(),
                s.checksFailed(),
                s.answers(),
                s.answerNanos());
    }
}
