package io.weir.proxy.upstream;

import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.weir.base.Clock;
import io.weir.base.Counter;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last known addresses of names, used for a limited time when the name servers fail. Bounded in names, the least
 * recently used is evicted. Confined to one muxer.
 */
public final class StaleAddresses {
    private record Known(List<InetAddress> addresses, long nanos) {}

    private final IntSupplier most;
    private final LongSupplier keepNanos;
    private final Clock clock;
    private final Counter used;
    private final Map<String, Known> names = new LinkedHashMap<>(64, 0.75f, true);

    /**
     * @param most bound on names
     * @param keepNanos how long they are used after they were last resolved
     */
    public StaleAddresses(IntSupplier most, LongSupplier keepNanos, Clock clock, Counter used) {
        this.most = most;
        this.keepNanos = keepNanos;
        this.clock = clock;
        this.used = used;
    }

    /** A name was resolved. */
    public void found(String host, List<InetAddress> addresses) {
        if (keepNanos.getAsLong() > 0 && !addresses.isEmpty()) {
            names.put(host, new Known(List.copyOf(addresses), clock.nanos()));
            var oldest = names.entrySet().iterator();
            while (names.size() > most.getAsInt() && oldest.hasNext()) {
                oldest.next();
                oldest.remove();
            }
        }
    }

    /**
     * The last known addresses of a name that cannot be resolved.
     *
     * @param failure why it cannot be resolved: a name that does not exist has no addresses any more
     * @return empty if none are known
     */
    public List<InetAddress> instead(String host, @Nullable Throwable failure) {
        Known known = names.get(host);
        if (known == null) {
            return List.of();
        }
        if (doesNotExist(failure) || clock.nanos() - known.nanos() >= keepNanos.getAsLong()) {
            names.remove(host);
            return List.of();
        }
        used.inc();
        return known.addresses();
    }

    private static boolean doesNotExist(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null) {
            if (cause instanceof DnsErrorCauseException e && e.getCode().equals(DnsResponseCode.NXDOMAIN)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
