package io.weir.kernel.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.Mapping;
import io.netty.util.ReferenceCountUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Selects the certificate for a server name (RFC 6066 section 3, wildcards as in RFC 9525 section 6.3). Immutable. */
final class SniCertificates implements Mapping<@Nullable String, SslContext> {
    /** A certificate's context and the certificate's names in lower case. */
    record Entry(SslContext context, Set<String> names) {}

    private final List<Entry> entries;
    private final Map<String, SslContext> byName = new HashMap<>();

    SniCertificates(List<Entry> entries) {
        this.entries = List.copyOf(entries);
        for (Entry e : entries) {
            e.names().forEach(n -> byName.putIfAbsent(n, e.context()));
        }
    }

    /** The context for a name; the first certificate's if the name is null or unknown. */
    @Override
    public SslContext map(@Nullable String name) {
        if (name == null) {
            return first();
        }
        String wanted = name.toLowerCase(Locale.ROOT);
        SslContext exact = byName.get(wanted);
        if (exact != null) {
            return exact;
        }
        int dot = wanted.indexOf('.');
        SslContext wild = dot > 0 ? byName.get("*" + wanted.substring(dot)) : null;
        return wild == null ? first() : wild;
    }

    SslContext first() {
        return entries.getFirst().context();
    }

    /** Whether there are several certificates. */
    boolean several() {
        return entries.size() > 1;
    }

    void release() {
        entries.forEach(e -> ReferenceCountUtil.release(e.context()));
    }
}
