package io.weir.broker.admin;

import io.weir.broker.quota.Quota;

/** A quota at one moment. Immutable. */
public record QuotaView(
        String name,
        long messages,
        long messagesMaximum,
        long bytes,
        long bytesMaximum,
        String policy,
        int waiting,
        long waits,
        long refused) {
    static QuotaView of(Quota q) {
        Quota.Bounds b = q.bounds();
        return new QuotaView(
                q.name(),
                q.messages(),
                b.messages(),
                q.bytes(),
                b.bytes(),
                b.policy().name().toLowerCase(java.util.Locale.ROOT),
                q.waiting(),
                q.waited(),
                q.refused());
    }
}
