package io.weir.kernel.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionStats;
import io.netty.handler.ssl.SslContext;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that a listener presents at one time, with their contexts. Immutable except for the stapled
 * responses; replaced as a whole by a reload. Connections whose handshake used it keep what they need of it.
 */
final class TlsSet {
    /** One certificate in service. */
    record Served(
            SslContext context,
            String place,
            List<X509Certificate> chain,
            @Nullable OcspStaple staple) {
        X509Certificate leaf() {
            return chain.getFirst();
        }
    }

    private final SniCertificates certificates;
    private final List<Served> served;
    private final IdentityHashMap<SslContext, OcspStaple> staples = new IdentityHashMap<>();

    TlsSet(SniCertificates certificates, List<Served> served) {
        this.certificates = certificates;
        this.served = List.copyOf(served);
        for (Served s : served) {
            if (s.staple() != null) {
                staples.put(s.context(), s.staple());
            }
        }
    }

    SniCertificates certificates() {
        return certificates;
    }

    List<Served> served() {
        return served;
    }

    @Nullable
    OcspStaple staple(SslContext context) {
        return staples.get(context);
    }

    /** The certificates by the file that they are from. */
    Map<String, X509Certificate> byPlace() {
        Map<String, X509Certificate> all = new HashMap<>();
        served.forEach(s -> all.put(s.place(), s.leaf()));
        return all;
    }

    void apply(TicketKeys keys) {
        served.forEach(s -> keys.apply(s.context()));
    }

    /** Takes over the stapled responses of certificates that were loaded again unchanged. */
    void keepAnswers(TlsSet old) {
        for (OcspStaple mine : staples.values()) {
            for (OcspStaple theirs : old.staples.values()) {
                if (mine.sameAs(theirs)) {
                    mine.keep(theirs);
                }
            }
        }
    }

    /** The sum of a provider's counter over all contexts; freed contexts count as 0. */
    long sum(ToLongFunction<OpenSslSessionStats> what) {
        long sum = 0;
        for (Served s : served) {
            if (s.context().sessionContext() instanceof OpenSslSessionContext sessions) {
                try {
                    ReferenceCountUtil.retain(s.context());
                } catch (IllegalReferenceCountException e) {
                    continue; // freed: its native pointer is invalid
                }
                try {
                    sum += what.applyAsLong(sessions.stats());
                } finally {
                    ReferenceCountUtil.release(s.context());
                }
            }
        }
        return sum;
    }

    void release() {
        certificates.release();
    }
}
