package io.weir.cluster.state.deployments;

import io.weir.cluster.state.entry.Event;
import org.jspecify.annotations.Nullable;

/** A deployment was added or removed, or its version or sources changed. Immutable. */
public record DeploymentChanged(
        String name, @Nullable Deployment before, @Nullable Deployment after) implements Event {}
