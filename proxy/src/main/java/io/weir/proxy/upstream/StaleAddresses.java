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
 * The last addresses of names, for when the name servers fail: they are used for a while longer. Bounded in names, the
 * longest unused goes. Confined to one muxer.
 */
public final class StaleAddresses {
    private record Known(List<InetAddress> addresses, long nanos) {}

    private final IntSupplier most;
    private final LongSupplier keepNanos;
    private final Clock clock;
    private final Counter used;
    private final Map<String, Known> names = new LinkedHashMap<>(64, 0.75f, true);

    /**
     * @param most names
     * @param keepNanos how long after they were last found they are used
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
     * What a name was found to be before it could not be resolved.
     *
     * @param failure why it could not: a name that does not exist has no addresses any more
     * @return empty where nothing is known
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
