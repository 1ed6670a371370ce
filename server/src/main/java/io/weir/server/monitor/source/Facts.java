package io.weir.server.monitor.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of one moment, as the views need them. All immutable. */
public final class Facts {
    private Facts() {}

    /** The server's state in its life cycle. */
    public enum Phase {
        STARTING,
        RUNNING,
        DRAINING,
        STOPPED
    }

    /**
     * The server's identity.
     *
     * @param id the server's configured name
     * @param product for example {@code Weir}
     * @param version for example {@code 0.1.0}
     * @param build date and time of the build, {@code MM/DD/YYYY HH:MM}; empty if the build does not record it
     * @param platform for example {@code Linux amd64}
     * @param serverStarted when the server was started, and its process unless the server was restarted within it
     * @param configurations how many configurations were applied since the start, the first included
     * @param maxThreads maximum number of requests handled at once (RqThrottle)
     */
    public record Identity(
            String id,
            String product,
            String version,
            String build,
            String platform,
            long pid,
            long serverStarted,
            long processStarted,
            int configurations,
            int maxThreads) {}

    /**
     * The connection queue.
     *
     * @param connections new connections accepted since the start
     * @param totalQueued times that a request passed through the queue, with or without delay
     * @param delayNanos sum of all queueing delays
     */
    public record Queue(
            long current,
            long peak,
            long limit,
            long connections,
            long totalQueued,
            long overflows,
            long delayNanos,
            Averages averages) {}

    /** Averages over 1, 5 and 15 minutes. */
    public record Averages(double one, double five, double fifteen) {
        public static final Averages ZERO = new Averages(0, 0, 0);
    }

    /**
     * A listener.
     *
     * @param address host as configured and port as bound, an IPv6 host in brackets
     * @param scheme of its URLs: http, https, weir, weirs
     * @param open whether it accepts connections
     */
    public record Listener(
            String name, String address, String scheme, int acceptors, String virtualServer, boolean open) {
        public boolean messaging() {
            return scheme.startsWith("weir");
        }
    }

    /** The keep-alive subsystem. */
    public record KeepAlive(
            long count, long max, long hits, long flushes, long refusals, long timeOuts, long timeOutSeconds) {}

    /**
     * Sessions: requests in handling are the Sun proxy's threads.
     *
     * @param active requests with a slot: being processed, or waiting for an origin; those that stream have none
     * @param keepAlive connections waiting for a next request; not those whose answer still streams
     * @param created the peak of active requests: the Sun proxy's threads created
     * @param limit maximum number of active requests
     */
    public record Sessions(long active, long keepAlive, long created, long limit) {}

    /**
     * A request being handled.
     *
     * @param status one of the Sun proxy's words: DNS, request, processing, response, updating
     * @param client the peer's address, without its port
     * @param started when the request's head was complete
     * @param function the function that runs, empty if unknown
     * @param pid of the process that handles it; 0: this one
     */
    public record SessionRow(
            String status,
            String client,
            long started,
            String virtualServer,
            String method,
            String uri,
            String function,
            long pid) {
        /** One of this process. */
        public SessionRow(
                String status,
                String client,
                long started,
                String virtualServer,
                String method,
                String uri,
                String function) {
            this(status, client, started, virtualServer, method, uri, function, 0);
        }

        public SessionRow of(long process) {
            return new SessionRow(status, client, started, virtualServer, method, uri, function, process);
        }
    }

    /**
     * The memory cache.
     *
     * @param plainEntries those without Vary
     * @param maxEntries maximum number of entries; 0 if bounded by bytes only
     * @param openEntries files of the disk tier that are open
     * @param maxAgeSeconds longest time for which an entry is used without being checked
     * @param infoHits hits on an object's metadata: answers that needed no body
     * @param infoMisses look-ups of objects that must be validated first
     * @param contentHits hits that sent a stored body
     * @param contentMisses look-ups of which nothing was stored
     * @param eligible simple GETs that were looked up
     * @param accelerated those answered the shortest way
     * @param requests all requests
     * @param storable answers to simple GETs that were stored and can be answered the shortest way
     * @param answers all answers to simple GETs that were fetched
     * @param expired objects replaced by newer answers
     * @param evicted objects removed to make room
     * @param deleted objects removed by purges and the like
     * @param busy objects removed while they were used
     * @param places of the hash table
     * @param sendsFiles whether large answers are sent from files of the disk tier as they are
     */
    public record Cache(
            boolean enabled,
            long entries,
            long plainEntries,
            long maxEntries,
            long openEntries,
            long maxOpenEntries,
            long bytes,
            long maxBytes,
            long maxAgeSeconds,
            long hits,
            long misses,
            long infoHits,
            long infoMisses,
            long contentHits,
            long contentMisses,
            long eligible,
            long accelerated,
            long requests,
            long storable,
            long answers,
            long expired,
            long evicted,
            long deleted,
            long busy,
            long entryOverhead,
            long maxObjectBytes,
            long places,
            boolean sendsFiles) {

        /** A cache that is off. */
        public static final Cache OFF =
                new Cache(false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);
    }

    /**
     * An object in the memory cache.
     *
     * @param flags letters of the Sun proxy, in its order; empty: none
     * @param modified Last-Modified; 0 if unknown
     * @param pid the process that has it
     */
    public record CacheEntry(
            String uri, long hits, String flags, int references, long ageSeconds, long modified, long size, long pid) {}

    /**
     * The disk cache.
     *
     * @param hits answers read from it
     * @param refused answers that were not written, or not read
     * @param carried answers of reclaimed segments that were written again
     * @param continued answers whose rest was requested from the origin, because the disk failed within them
     * @param cut answers that ended where the disk failed
     */
    public record DiskCache(
            boolean enabled,
            long hits,
            long misses,
            long filesAtStart,
            long created,
            long cleaned,
            long objects,
            long bytes,
            long maxBytes,
            long refused,
            long carried,
            long timeouts,
            long errors,
            long continued,
            long cut) {
        public static final DiskCache NONE = new DiskCache(false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * A partition of the disk cache.
     *
     * @param failing whether its last write failed, or its folder could not be used at the start
     */
    public record DiskPartition(
            String name,
            long objects,
            long bytes,
            long maxBytes,
            long segments,
            long hits,
            long errors,
            boolean failing) {}

    /**
     * This member's cache and those of the others.
     *
     * @param owners live members that answer each other, this one among them; 0: there is no such cluster
     * @param answered requests to owners that were answered
     * @param failed requests to owners that got no answer
     * @param refused requests to owners that they refused
     * @param continued answers of which the rest came from the origin
     * @param cut answers that ended before their end, for the origin could not continue them
     * @param served requests of other members
     */
    public record MemberCaches(
            long owners, long answered, long failed, long refused, long continued, long cut, long served) {
        public static final MemberCaches NONE = new MemberCaches(0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * A work manager.
     *
     * @param queueLimit 0: unlimited, as in the Sun proxy
     * @param extra threads beyond the limit, for min-threads constraints
     * @param shutDown whether its trigger keeps new work out
     * @param minPending waiting work under its min-threads constraint
     * @param minCompleted completed work under it
     * @param standby idle threads above those that are kept
     * @param sharedCapacity requests and work that may wait or run under all work managers together
     */
    public record Pool(
            String name,
            int idle,
            int threads,
            int peakThreads,
            int maxThreads,
            int queued,
            int peakQueued,
            int queueLimit,
            long completed,
            long rejected,
            int stuck,
            int hogging,
            int minThreads,
            int extra,
            boolean shutDown,
            int minPending,
            long minCompleted,
            int standby,
            int sharedCapacity) {
        /** Threads and queue alone. */
        public Pool(
                String name,
                int idle,
                int threads,
                int peakThreads,
                int maxThreads,
                int queued,
                int peakQueued,
                int queueLimit,
                long completed,
                long rejected,
                int stuck,
                int hogging,
                int minThreads) {
            this(
                    name,
                    idle,
                    threads,
                    peakThreads,
                    maxThreads,
                    queued,
                    peakQueued,
                    queueLimit,
                    completed,
                    rejected,
                    stuck,
                    hogging,
                    minThreads,
                    0,
                    false,
                    0,
                    0,
                    0,
                    0);
        }

        /**
         * In WebLogic's terms: critical if no work is accepted or all threads are stuck, a warning if some threads are
         * stuck.
         */
        public String health() {
            if (shutDown || (stuck > 0 && stuck >= maxThreads)) {
                return "HEALTH_CRITICAL";
            }
            return stuck > 0 ? "HEALTH_WARN" : "HEALTH_OK";
        }
    }

    /**
     * A DNS cache.
     *
     * @param async whether look-ups do not block a thread
     */
    public record Dns(
            boolean enabled,
            long entries,
            long maxEntries,
            long hits,
            long misses,
            boolean async,
            long nameLookups,
            long addressLookups,
            long lookupsInProgress) {
        public static final Dns NONE = new Dns(false, 0, 0, 0, 0, false, 0, 0, 0);
    }

    /**
     * A performance bucket.
     *
     * @param requests requests that invoked one of its functions
     * @param invocations how often its functions were invoked
     * @param dispatchNanos time spent on preparing the calls
     * @param functionNanos time spent in the functions
     */
    public record Bucket(
            String name, String description, long requests, long invocations, long dispatchNanos, long functionNanos) {}

    /** A virtual server with its traffic and, if they are kept separately, its buckets. */
    public record VirtualServer(
            String id,
            boolean active,
            List<String> hosts,
            List<String> interfaces,
            Requests requests,
            List<Bucket> buckets) {
        public VirtualServer {
            hosts = List.copyOf(hosts);
            interfaces = List.copyOf(interfaces);
            buckets = List.copyOf(buckets);
        }
    }

    /**
     * Traffic of a virtual server.
     *
     * @param lastMethod of the latest request; null before the first
     * @param lastUri of the latest request; null before the first
     * @param rate bytes a second as they are sent; null if bytes are only counted at the end of answers
     * @param nanos sum of all request processing times
     * @param byStatus answers by status
     */
    public record Requests(
            @Nullable String lastMethod,
            @Nullable String lastUri,
            long count,
            long bytesReceived,
            long bytesSent,
            long openConnections,
            long peakConnections,
            TrafficFigures.@Nullable Figure rate,
            long nanos,
            Statuses byStatus) {}

    /** Answers counted by status. */
    public interface Statuses {
        /** No answers yet. */
        Statuses NONE = (_, _) -> 0;

        /** The number of answers with a status from {@code first} to {@code last}. */
        long between(int first, int last);

        /** The number of answers with this status. */
        default long of(int status) {
            return between(status, status);
        }
    }

    /** The result of a check of the health view. */
    public enum Health {
        UP,
        /** An operator should look at it, but the server keeps working and is ready. */
        WARNING,
        DOWN
    }

    /** A check of the health view. */
    public record Check(String name, Health health, String detail) {
        public Check(String name, boolean healthy, String detail) {
            this(name, healthy ? Health.UP : Health.DOWN, detail);
        }

        public boolean healthy() {
            return health != Health.DOWN;
        }
    }

    /**
     * HTTP/2, towards clients and origins.
     *
     * @param open connections of clients open now
     * @param total connections of clients so far
     * @param streams requests open now
     * @param totalStreams requests so far
     * @param refused streams beyond a connection's number
     * @param resetsReceived requests that clients cancelled
     * @param resetsSent requests that Weir reset
     * @param goawaysReceived GOAWAY of clients
     * @param goawaysSent connections that Weir ended with GOAWAY
     * @param cutOff connections closed because of floods
     * @param originConnections connections to origins so far
     * @param originStreams requests to origins so far
     * @param originResets streams that origins reset
     * @param originGoaways GOAWAY of origins
     */
    public record Http2(
            long open,
            long total,
            long streams,
            long totalStreams,
            long refused,
            long resetsReceived,
            long resetsSent,
            long goawaysReceived,
            long goawaysSent,
            long cutOff,
            long originConnections,
            long originStreams,
            long originResets,
            long originGoaways) {
        /** While HTTP/2 is unused. */
        public static final Http2 NONE = new Http2(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
