package io.weir.server.cluster;

import io.weir.base.Durations;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.server.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a deployment: whether each of its singletons is active, or will not become active by itself.
 * Immutable.
 *
 * @param version of the deployment
 * @param pending singletons in progress, a line each
 * @param failed singletons that failed on every candidate
 * @param settled singletons that are active, or paused as configured
 */
record DeploymentProgress(long version, List<String> pending, List<String> failed, List<String> settled) {
    DeploymentProgress {
        pending = List.copyOf(pending);
        failed = List.copyOf(failed);
        settled = List.copyOf(settled);
    }

    /** The progress of a deployment in the state; null if there is none. */
    static @Nullable DeploymentProgress of(
            ClusterState state, String deployment, @Nullable Outage outage, String self) {
        Deployment d = state.deployments().get(deployment);
        if (d == null) {
            return null;
        }
        List<String> pending = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        List<String> settled = new ArrayList<>();
        for (SingletonState s : state.singletons().values()) {
            if (!deployment.equals(s.spec().deployment())) {
                continue;
            }
            if (outage != null && !outage.phase(s, self).equals("active")) {
                pending.add(s.name() + " is " + outage.phase(s, self) + ": " + outage.since());
                continue;
            }
            String where = s.member() == null ? "" : " on " + s.member();
            String line = s.name() + " is " + s.phase().name().toLowerCase(Locale.ROOT) + where;
            switch (s.phase()) {
                case ACTIVE -> settled.add(line);
                case PAUSED -> settled.add(line + ": " + s.reason());
                case FAILED -> failed.add(line + ": " + s.reason());
                case WAITING ->
                    failed.add(line + ": " + s.reason() + "; it is tried again in "
                            + Durations.format(Duration.ofMillis(s.pauseMillis())));
                case UNPLACED ->
                    pending.add(line + ": "
                            + (state.boot().pending() ? "placement waits for members to join" : "no candidate is up"));
                case PLACED, ACTIVATING -> pending.add(line);
            }
        }
        return new DeploymentProgress(d.version(), pending, failed, settled);
    }

    void json(String deployment, Json to) {
        to.add("deployment", deployment)
                .add("version", version)
                .add("pending", pending)
                .add("failed", failed)
                .add("settled", settled);
    }
}
