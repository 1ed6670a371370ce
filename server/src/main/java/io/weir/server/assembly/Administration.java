package io.weir.server.assembly;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.server.admin.AdminConfig;
import io.weir.server.admin.AdminListener;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.PortViews;
import io.weir.server.admin.PurgeForwarder;
import io.weir.server.admin.views.AccessLogViews;
import io.weir.server.admin.views.CacheViews;
import io.weir.server.admin.views.DamageViews;
import io.weir.server.admin.views.KnobViews;
import io.weir.server.admin.views.TlsViews;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.KnobService;
import io.weir.server.config.WeirConfig;
import io.weir.server.facts.ServerFacts;
import io.weir.server.history.HistoryViews;
import io.weir.server.log.ServerLog;
import io.weir.server.monitor.MonitorViews;
import io.weir.server.start.ServerParts;
import io.weir.server.start.Share;
import io.weir.server.users.AdminToken;
import io.weir.server.users.Administrators;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The admin listener with all its views and changes. Used once, at the start. */
public final class Administration {
    private final AdminRouter router = new AdminRouter();
    private final ServerParts parts;
    private final Live<WeirConfig> live;
    private final Stats stats;
    private final ServerLog log;

    public Administration(ServerParts parts, Live<WeirConfig> live, Stats stats, ServerLog log) {
        this.parts = parts;
        this.live = live;
        this.stats = stats;
        this.log = log;
    }

    /** The token for those who can read the data directory; a new one is logged. */
    public static AdminToken token(Path dataDir, ServerLog log) throws IOException {
        AdminToken token = AdminToken.openOrCreate(dataDir);
        if (token.created()) {
            log.log(ServerMessages.TOKEN_CREATED, dataDir.resolve(AdminToken.FILE));
        }
        return token;
    }

    /** Adds the requests that change the configuration, and those that read and change kernel and proxy. */
    public Administration changes(
            KnobService knobs, ServerFacts facts, Kernel kernel, Engine engine, PurgeForwarder members) {
        CacheViews cache = new CacheViews(engine.proxy().cache(), engine.proxy().owners(), members);
        cache.register(router);
        new KnobViews(knobs, parts.dataDir(), facts.autos(), cache).register(router, parts.share());
        new HistoryViews(parts.dataDir(), stats::spec, parts.clock()).register(router);
        new TlsViews(kernel).register(router);
        new AccessLogViews(engine.accessLogs()).register(router);
        new DamageViews(facts.damage()).register(router);
        return this;
    }

    /** Adds the requests that read and change messaging and the cluster. */
    public Administration services(StatefulParts services) {
        services.register(router);
        return this;
    }

    /**
     * Opens the listener, and samples the server every second from now on.
     *
     * @param portViews its views for the proxy's ports
     */
    public AdminListener open(AdminToken token, ServerFacts facts, PortViews portViews, OpenedParts opened)
            throws IOException {
        Clock clock = parts.clock();
        Share share = parts.share();
        MonitorViews views = opened.add(new MonitorViews(facts, stats, clock));
        views.register(router);
        if (share.supervised()) {
            views.registerFigures(router);
        } else {
            router.oneProcess();
        }
        AdminConfig config = live.get().admin();
        if (config.jmx()) {
            views.registerBeans(MonitorViews::platformBeans, log);
        }
        AdminListener.Credentials credentials =
                new AdminListener.Credentials(token::matches, new Administrators(parts.dataDir(), log));
        try {
            AdminListener listener = AdminListener.open(
                    share.supervised() ? config.ofWorker() : config, router, credentials, clock, stats, log);
            portViews.open(listener);
            listener.every(Duration.ofSeconds(1), views::sample);
            return opened.add(listener);
        } catch (BindFailure e) {
            // the kernel derives the key from the listener's name
            throw new IOException(String.valueOf(e.getMessage()).replace("listeners.admin.", "admin."), e);
        }
    }
}
