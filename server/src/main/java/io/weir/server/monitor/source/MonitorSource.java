package io.weir.server.monitor.source;

import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkFigures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data that the views read besides the statistics registry. The server's assembly implements it over the kernel,
 * the cache and the program. Every method is called on the admin loop, and by the threads of JMX, and must return at
 * once: it never takes a lock that a request may hold and never waits for another loop. Times are milliseconds since
 * the epoch unless named nanos.
 */
public interface MonitorSource {
    /** The server's identity. */
    Facts.Identity identity();

    /** The server's state in its life cycle. */
    Facts.Phase phase();

    /** Checks besides phase and listeners; empty if there are none. */
    default List<Facts.Check> checks() {
        return List.of();
    }

    /** Periodic work, called once a second on the admin loop. */
    default void second() {}

    Facts.Queue queue();

    /** The listeners, in the order of the configuration; the admin listener is not one of them. */
    List<Facts.Listener> listeners();

    Facts.KeepAlive keepAlive();

    /** HTTP/2; {@link Facts.Http2#NONE} while it is unused. */
    default Facts.Http2 http2() {
        return Facts.Http2.NONE;
    }

    Facts.Sessions sessions();

    /** Requests being handled now, oldest first, at most {@code limit}. */
    List<Facts.SessionRow> sessionRows(int limit);

    /** The memory cache. */
    Facts.Cache cache();

    /** At most {@code limit} entries of the memory cache, in no order. */
    default List<Facts.CacheEntry> cacheEntries(int limit) {
        return List.of();
    }

    /** The disk cache; {@link Facts.DiskCache#NONE} while there is none. */
    default Facts.DiskCache diskCache() {
        return Facts.DiskCache.NONE;
    }

    /** The partitions of the disk cache; empty while there is none. */
    default List<Facts.DiskPartition> diskPartitions() {
        return List.of();
    }

    /** The caches of the other members; {@link Facts.MemberCaches#NONE} while there are none. */
    default Facts.MemberCaches memberCaches() {
        return Facts.MemberCaches.NONE;
    }

    /** The work managers, in the order of the configuration. */
    List<Facts.Pool> pools();

    /** The figures of work managers besides their threads: request classes, constraints, stuck threads. */
    default WorkFigures work() {
        return WorkFigures.NONE;
    }

    /** TLS of listeners and towards origins; empty if unused. */
    default List<TlsFigures> tls() {
        return List.of();
    }

    /** Names to addresses. */
    default Facts.Dns hostDns() {
        return Facts.Dns.NONE;
    }

    /** Clients' addresses to names. */
    default Facts.Dns clientDns() {
        return Facts.Dns.NONE;
    }

    /** Messaging; null while it does not run. */
    default @Nullable MessagingFigures messaging() {
        return null;
    }

    /** Pools of origin servers, by name. */
    default List<OriginFigures> origins() {
        return List.of();
    }

    /**
     * The usage of listeners, virtual servers and the busiest clients, with their limits; empty while nothing is
     * limited or counted.
     *
     * @param clients maximum number of clients
     */
    default List<TrafficFigures> traffic(int clients) {
        return List.of();
    }

    /** The cluster; null while this server is not part of one. */
    default @Nullable ClusterFigures cluster() {
        return null;
    }

    /** Performance buckets in the order of their definition, without the sum of all. */
    List<Facts.Bucket> buckets();

    /** The virtual servers, in the order of the configuration. */
    List<Facts.VirtualServer> virtualServers();
}
