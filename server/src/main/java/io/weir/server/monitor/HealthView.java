package io.weir.server.monitor;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.json.Json;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Health for supervisors and load balancers. Ready: running, all listeners open, no check down; anything else is 503,
 * including draining. A work manager's check is down if it is shut down or all its threads are stuck, not for a single
 * stuck thread. A check that only warns (unacknowledged damage of a journal, a cluster without a majority) leaves the
 * server ready, because the rest works. Live: the admin loop runs. Immutable.
 */
final class HealthView {
    private static final String WARNING = "warning";

    private final MonitorSource source;

    HealthView(MonitorSource source) {
        this.source = source;
    }

    /** Everything, with the status of readiness. */
    AdminAnswer full() {
        return AdminAnswer.json(
                ready() ? 200 : 503,
                j -> j.add("status", status())
                        .array("listeners", source.listeners(), HealthView::listener)
                        .array("checks", checks(), HealthView::check));
    }

    /** Whether requests should be sent here. */
    AdminAnswer readiness() {
        return brief(ready(), status());
    }

    /** Whether the process is alive and need not be restarted. */
    AdminAnswer liveness() {
        boolean live = source.phase() != Facts.Phase.STOPPED;
        return brief(live, live ? "up" : "stopped");
    }

    private boolean ready() {
        return status().equals("up") || status().equals(WARNING);
    }

    private String status() {
        Facts.Phase phase = source.phase();
        if (phase != Facts.Phase.RUNNING) {
            return phase.name().toLowerCase(Locale.ROOT);
        }
        boolean open = source.listeners().stream().allMatch(Facts.Listener::open);
        List<Facts.Check> checks = checks();
        if (!open || !checks.stream().allMatch(Facts.Check::healthy)) {
            return "degraded";
        }
        return checks.stream().anyMatch(c -> c.health() == Facts.Health.WARNING) ? WARNING : "up";
    }

    private List<Facts.Check> checks() {
        List<Facts.Check> all = new ArrayList<>();
        for (Facts.Pool pool : source.pools()) {
            all.add(new Facts.Check(
                    "work-manager " + pool.name(),
                    !pool.health().equals("HEALTH_CRITICAL"),
                    pool.idle() + " of " + pool.threads() + " threads idle"
                            + (pool.stuck() == 0 ? "" : ", " + pool.stuck() + " stuck")
                            + (pool.shutDown() ? ", shut down by its trigger" : "")));
        }
        all.addAll(source.checks());
        return all;
    }

    private static AdminAnswer brief(boolean good, String status) {
        return AdminAnswer.json(good ? 200 : 503, j -> j.add("status", status));
    }

    private static void listener(Facts.Listener l, Json to) {
        to.add("name", l.name())
                .add("protocol", l.scheme())
                .add("address", l.address())
                .add("status", l.open() ? "up" : "closed");
    }

    private static void check(Facts.Check c, Json to) {
        to.add("name", c.name())
                .add("status", c.health().name().toLowerCase(Locale.ROOT))
                .add("detail", c.detail());
    }
}
