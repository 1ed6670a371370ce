package io.weir.cluster.state.deployments;

import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** A deployment came, went, got another version, or another source. Immutable. */
public record DeploymentChanged(
        String name, @Nullable Deployment before, @Nullable Deployment after) implements Event {}
