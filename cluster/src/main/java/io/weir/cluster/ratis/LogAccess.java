package io.weir.cluster.ratis;

import io.weir.cluster.config.ClusterTlsConfig;
import org.jspecify.annotations.Nullable;

/**
 * By what members know each other at the ports of their logs. Immutable; its text form does not show the secret.
 *
 * @param tls certificates, or none
 * @param secret the same on all members; null for none: then any peer that reaches the port is accepted, unless
 * certificates are required
 */
public record LogAccess(ClusterTlsConfig tls, @Nullable String secret) {
    public LogAccess {
        if (secret != null && secret.isEmpty()) {
            throw new IllegalArgumentException("an empty secret is none");
        }
    }

    @Override
    public String toString() {
        return "LogAccess[tls=" + tls.enabled() + ", secret=" + (secret == null ? "none" : "***") + "]";
    }
}
