package io.weir.server.monitor;

import io.weir.server.monitor.source.Facts;
import java.util.function.Predicate;

/** The page that lists the views that this server has. One per answer. */
final class IndexPage {
    /** The views of the supervisor are sums or lists of all; everything else is answered by the first process. */
    private static final String SEVERAL = "<p>This server has several processes (server.processes), of which this is"
            + " the first. /.perf, /stats-xml, /metrics, /history, /health, /origins, /traffic, /nsc and /cache are of all of them, the"
            + " other views are of the first one: ?process=N shows those of another.</p>\n";

    private final Facts.Identity identity;
    private final Predicate<String> available;
    private final boolean several;

    /**
     * @param available whether a path is served here: a server without messaging, for one, has no view of queues
     * @param several whether this is one of several processes
     */
    IndexPage(Facts.Identity identity, Predicate<String> available, boolean several) {
        this.identity = identity;
        this.available = available;
        this.several = several;
    }

    String write() {
        String name = identity.product() + " " + identity.version();
        String body = "<h1>" + Html.text(name) + "</h1>\n<p>Server " + Html.text(identity.id()) + ", process "
                + identity.pid() + ", " + Html.text(identity.platform()) + "</p>\n"
                + (several ? SEVERAL : "")
                + section(
                        "Watch",
                        view("/.perf", "perfdump: queues, keep-alive, caches, pools, buckets, sessions, messaging"),
                        view("/.perf?refresh=5", "the same, every five seconds"),
                        view("/stats-xml", "statistics as XML; ?thread=0 leaves an element out"),
                        view("/stats-xml/proxystats.dtd", "its document type"),
                        view("/metrics", "Prometheus and OpenMetrics"),
                        view(
                                "/nsc",
                                "status of the memory cache; ?list shows its entries, POST ?restart, ?stop, ?start control it"),
                        view("/cache/gc", "garbage collections of the disk tier; POST begins one"),
                        view("/nsfc", "the same, under the other name that the Sun proxy has for it"),
                        view(
                                "/cache/top",
                                "objects in memory with most hits; /cache?url= shows what is stored for a URL"),
                        view("/history", "recorded statistics; ?metric=NAME&since=1h shows one over time"))
                + section(
                        "Services",
                        view("/origins", "pools of origins: servers, state, outstanding requests"),
                        view(
                                "/traffic",
                                "connections, requests and bytes a second by listener, virtual server, client"),
                        view("/messaging", "queues and topics: messages, bytes, consumers, what is paused"),
                        view("/messaging/subscriptions", "subscriptions of topics and their waiting messages"),
                        view("/messaging/transactions", "distributed transactions in doubt"),
                        view("/cluster", "this member's part in its cluster"),
                        view("/cluster/members", "members as this one sees them"),
                        view("/cluster/singletons", "singletons, where each is active and with which fence"),
                        view("/cluster/leases", "leases and their holders, as far as this member knows"),
                        view("/cluster/leases/current", "the same, confirmed by the cluster"),
                        view("/cluster/bindings", "names of services, and who offers each"),
                        view("/cluster/purges", "how far the members' caches have applied the purges"),
                        view("/cluster/checkpoints", "what singletons saved for their next activation"),
                        view("/cluster/timers", "timers and when each fires next"),
                        view("/cluster/deployments", "deployed archives"),
                        view("/cluster/history", "history of members, singletons and leases"))
                + section(
                        "Health",
                        view("/health", "listeners, work managers, the journal"),
                        view("/health/ready", "200 when requests should be sent here"),
                        view("/health/live", "200 while the process need not be restarted"),
                        view("/damage", "damaged places of the journals that are not acknowledged yet"),
                        view("/tls", "certificates of listeners, and their last reload"),
                        view("/threads", "thread dump"))
                + section(
                        "Configuration",
                        view(
                                "/knobs",
                                "every knob with value, default and range; /knobs/KEY shows one, changes need the token"),
                        view("/config/history", "the configurations applied so far"));
        return Html.page(name, body);
    }

    private static String section(String title, String... views) {
        String all = String.join("", views);
        return all.isEmpty() ? "" : "<h2>" + title + "</h2>\n<ul>\n" + all + "</ul>\n";
    }

    private String view(String path, String what) {
        int query = path.indexOf('?');
        if (!available.test(query < 0 ? path : path.substring(0, query))) {
            return "";
        }
        return "<li><a href=\"" + Html.text(path) + "\">" + Html.text(path) + "</a><span>" + Html.text(what)
                + "</span></li>\n";
    }
}
