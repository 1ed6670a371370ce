package io.weir.proxy.upstream;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.weir.base.Clock;
import io.weir.base.Counter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Names to addresses for outgoing connections, bounded in entries, honouring the records' time to live: the Sun proxy's
 * "Host DNS" cache. Confined to the muxer of the resolver that owns it; the entry count is read from other threads.
 */
public final class HostDnsCache implements DnsCache {
    /** The bounds, which may change at run time. */
    public record Limits(boolean enabled, int entries, long maxTtlSeconds, long negativeTtlSeconds) {}

    private static final int MAX_ADDRESSES = 16;

    private final Supplier<Limits> limits;
    private final Clock clock;
    private final Counter hits;
    private final Counter misses;
    private final Map<String, Answer> answers = new LinkedHashMap<>(64, 0.75f, true);
    private volatile int size;

    public HostDnsCache(Supplier<Limits> limits, Clock clock, Counter hits, Counter misses) {
        this.limits = limits;
        this.clock = clock;
        this.hits = hits;
        this.misses = misses;
    }

    /** Number of cached names, negative answers included. */
    public int size() {
        return size;
    }

    @Override
    public void clear() {
        answers.clear();
        size = 0;
    }

    @Override
    public boolean clear(String hostname) {
        boolean removed = answers.remove(key(hostname)) != null;
        size = answers.size();
        return removed;
    }

    @Override
    public @Nullable List<? extends DnsCacheEntry> get(String hostname, DnsRecord @Nullable [] additionals) {
        Answer answer = answers.get(key(hostname));
        if (answer == null || answer.expires - clock.nanos() <= 0) {
            misses.inc();
            return null;
        }
        hits.inc();
        return answer.entries;
    }

    @Override
    public DnsCacheEntry cache(
            String hostname,
            DnsRecord @Nullable [] additionals,
            InetAddress address,
            long originalTtl,
            EventLoop loop) {
        Entry entry = new Entry(hostname, address, null);
        Limits bound = limits.get();
        long ttl = Math.min(originalTtl, bound.maxTtlSeconds());
        if (ttl > 0) {
            put(hostname, entry, ttl, bound);
        }
        return entry;
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord @Nullable [] additionals, Throwable cause, EventLoop loop) {
        Entry entry = new Entry(hostname, null, cause);
        Limits bound = limits.get();
        if (bound.negativeTtlSeconds() > 0) {
            answers.remove(key(hostname));
            put(hostname, entry, bound.negativeTtlSeconds(), bound);
        }
        return entry;
    }

    private void put(String hostname, Entry entry, long ttlSeconds, Limits bound) {
        if (!bound.enabled() || bound.entries() <= 0) {
            return;
        }
        long expires = clock.nanos() + TimeUnit.SECONDS.toNanos(ttlSeconds);
        String key = key(hostname);
        Answer old = answers.get(key);
        List<Entry> entries = new ArrayList<>();
        if (old != null && old.expires - clock.nanos() > 0 && entry.address != null) {
            old.entries.stream()
                    .filter(e -> e.address != null && !e.address.equals(entry.address))
                    .forEach(entries::add);
            expires = entries.isEmpty() ? expires : Math.min(expires, old.expires);
        }
        if (entries.size() < MAX_ADDRESSES) {
            entries.add(entry);
        }
        answers.put(key, new Answer(List.copyOf(entries), expires));
        var oldest = answers.entrySet().iterator();
        while (answers.size() > bound.entries() && oldest.hasNext()) {
            oldest.next();
            oldest.remove();
        }
        size = answers.size();
    }

    private static String key(String hostname) {
        String name = hostname.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name : name + ".";
    }

    private record Answer(List<Entry> entries, long expires) {}

    private record Entry(
            String hostname,
            @Nullable InetAddress address,
            @Nullable Throwable cause) implements DnsCacheEntry {}
}
