package io.weir.cluster.ratis;

import io.weir.cluster.config.ClusterTlsConfig;
import org.jspecify.annotations.Nullable;

/**
 * Credentials with which members authenticate each other at their log ports. Immutable; its string form does not
 * contain the secret.
 *
 * @param tls certificate files, or none
 * @param secret the same on all members; null if none: then any peer that reaches the port is accepted, unless
 *     certificates are required
 */
public record LogAccess(ClusterTlsConfig tls, @Nullable String secret) {
    public LogAccess {
        if (secret != null && secret.isEmpty()) {
            throw new IllegalArgumentException("the secret is empty");
        }
    }

    @Override
    public String toString() {
        return "LogAccess[tls=" + tls.enabled() + ", secret=" + (secret == null ? "none" : "***") + "]";
    }
}
