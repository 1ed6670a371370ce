package io.weir.kernel.tls;

import io.weir.base.Clock;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reports the expiry of an owner's certificates: a gauge for each, and a warning 30, 7 and 1 days ahead, once each.
 * Owned by {@link ServerTls} or {@link OriginTls}, under its lock.
 */
final class CertificateExpiry {
    private static final int[] DAYS = {1, 7, 30};
    private static final int EXPIRED = 0;
    private static final int FAR = Integer.MAX_VALUE;

    private final String listener;
    private final KernelContext kernel;
    private final Map<X509Certificate, Integer> reported = new HashMap<>();
    private final Set<String> gauges = new HashSet<>();

    CertificateExpiry(String listener, KernelContext kernel) {
        this.listener = listener;
        this.kernel = kernel;
    }

    /** Sets the certificates in use. */
    void serve(Map<String, X509Certificate> now) {
        Clock clock = kernel.clock();
        now.forEach((place, leaf) -> {
            long end = leaf.getNotAfter().toInstant().toEpochMilli();
            kernel.stats()
                    .gauge(KernelStats.TLS_EXPIRY, () -> Math.floorDiv(end - clock.millis(), 1000L), listener, place);
            gauges.add(place);
        });
        gauges.removeIf(place -> {
            boolean gone = !now.containsKey(place);
            if (gone) {
                kernel.stats().remove(KernelStats.TLS_EXPIRY, listener, place);
            }
            return gone;
        });
        reported.keySet().retainAll(Set.copyOf(now.values()));
        warn(now);
    }

    /** Warns about certificates that have passed another threshold since the last check. */
    void warn(Map<String, X509Certificate> shown) {
        long now = kernel.clock().millis();
        shown.forEach((place, leaf) -> {
            int near = nearness(leaf.getNotAfter().toInstant().toEpochMilli() - now);
            if (near < reported.getOrDefault(leaf, FAR)) {
                reported.put(leaf, near);
                report(place, leaf, near);
            }
        });
    }

    private static int nearness(long millis) {
        if (millis <= 0) {
            return EXPIRED;
        }
        for (int days : DAYS) {
            if (millis <= Duration.ofDays(days).toMillis()) {
                return days;
            }
        }
        return FAR;
    }

    private void report(String place, X509Certificate leaf, int near) {
        String end = leaf.getNotAfter().toInstant().toString();
        if (near == EXPIRED) {
            kernel.log().log(KernelMessages.TLS_EXPIRED, place, listener, end);
        } else {
            kernel.log().log(KernelMessages.TLS_EXPIRES, place, listener, near, end);
        }
    }
}
