package io.weir.server.monitor;

import io.weir.server.monitor.source.Facts;

/** The page that lists the views. Made anew for each answer. */
final class IndexPage {
    private final Facts.Identity identity;

    IndexPage(Facts.Identity identity) {
        this.identity = identity;
    }

    String write() {
        String name = identity.product() + " " + identity.version();
        String body = "<h1>" + Html.text(name) + "</h1>\n<p>Server " + Html.text(identity.id()) + ", process "
                + identity.pid() + ", " + Html.text(identity.platform()) + "</p>\n"
                + section(
                        "Watch",
                        view("/.perf", "perfdump: queues, keep-alive, caches, pools, buckets, sessions, messaging"),
                        view("/.perf?refresh=5", "the same, every five seconds"),
                        view("/stats-xml", "statistics as XML; ?thread=0 leaves an element out"),
                        view("/stats-xml/proxystats.dtd", "its document type"),
                        view("/metrics", "Prometheus and OpenMetrics"),
                        view(
                                "/nsc",
                                "status of the memory cache; ?list shows what it holds, DELETE /cache?url= forgets"))
                + section(
                        "Health",
                        view("/health", "listeners, work managers, the journal"),
                        view("/health/ready", "200 when requests should be sent here"),
                        view("/health/live", "200 while the process is worth keeping"),
                        view("/threads", "thread dump"))
                + section(
                        "Configuration",
                        view("/knobs", "every knob with value, default and range; changes need the token"),
                        view("/config/history", "the configurations applied so far"));
        return Html.page(name, body);
    }

    private static String section(String title, String... views) {
        return "<h2>" + title + "</h2>\n<ul>\n" + String.join("", views) + "</ul>\n";
    }

    private static String view(String path, String what) {
        return "<li><a href=\"" + Html.text(path) + "\">" + Html.text(path) + "</a><span>" + Html.text(what)
                + "</span></li>\n";
    }
}
