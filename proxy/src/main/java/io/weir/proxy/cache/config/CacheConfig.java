package io.weir.proxy.cache.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.http.caching.Storability;
import java.time.Duration;

/**
 * Section {@code cache}: the memory cache, and the disk tier below it. Immutable; read again for each request, so that live changes apply at once.
 */
public record CacheConfig(
        @Knob(
                doc =
                        "Whether answers are cached at all. Off: every request goes to its origin, and requests are not"
                                + " collapsed. Switching it off empties the memory; the disk tier keeps what it has, and purges reach it.",
                value = "on",
                dynamic = true,
                watch = {"weir_cache_hits_total", "weir_cache_misses_total"},
                knownAs = "FILECACHE enabled")
        boolean enabled,

        @Knob(
                doc = "Maximum memory of the cache, including keys, heads and bookkeeping. More keeps more objects; it"
                        + " is never exceeded, so leave room for the rest of the process."
                        + " Raise it while objects are evicted and the hit ratio grows with it; when it no longer"
                        + " grows, what is requested fits. Rule of thumb: the objects that are requested within"
                        + " an hour, up to half of the machine's memory.",
                value = "64MiB",
                min = "256KiB",
                max = "1024GiB",
                dynamic = true,
                watch = {"weir_cache_bytes", "weir_cache_evictions_total"},
                knownAs = "FILECACHE mediumfilespace")
        ByteSize memoryBudget,

        @Knob(
                doc = "Largest body that is stored, as far as memory-budget has room for it. Larger ones stream"
                        + " through; with a large value a few objects can evict many."
                        + " Rule of thumb: at most an eighth of the budget.",
                value = "8MiB",
                min = "0",
                max = "1GiB",
                dynamic = true,
                watch = {"weir_cache_refusals_total", "weir_cache_fills_too_large_total"},
                knownAs = "cache-enable max-size")
        ByteSize maxObjectSize,

        @Knob(
                doc = "Smallest body that is stored. A value above 0 excludes tiny answers, whose bookkeeping may"
                        + " take more memory than their content."
                        + " Rule of thumb: 0.",
                value = "0",
                min = "0",
                max = "900GiB",
                dynamic = true,
                watch = {"weir_cache_refusals_total"},
                knownAs = "cache-enable min-size")
        ByteSize minObjectSize,

        @Knob(
                doc = "Largest number of stored objects. The memory budget is usually reached first."
                        + " Rule of thumb: the default; each entry costs some hundred bytes beside its content.",
                value = "1000000",
                unit = "objects",
                min = "1",
                max = "100000000",
                dynamic = true,
                watch = {"weir_cache_entries", "weir_cache_evictions_total"},
                knownAs = "FILECACHE maxfiles")
        int maxEntries,

        @Knob(
                doc = "Stored variants of one URI (Vary). The oldest is evicted; a low value protects against"
                        + " origins that vary on too much."
                        + " Rule of thumb: the encodings times the languages that are served.",
                value = "16",
                unit = "variants",
                min = "1",
                max = "1024",
                dynamic = true,
                watch = {"weir_cache_evictions_total"})
        int maxVariants,

        @Knob(
                doc = "Longest query of a URI that is cached; 0 caches no URI with a query. Longer ones are sent to the"
                        + " origin each time."
                        + " Rule of thumb: the default.",
                value = "2048",
                unit = "bytes",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = {"weir_cache_bypass_total"},
                knownAs = "cache-enable query-maxlen")
        int queryMaxlen,

        @Knob(
                doc = "Share of the time since Last-Modified for which an answer without explicit lifetime is"
                        + " considered fresh; 0 uses explicit lifetimes only."
                        + " Rule of thumb: 0.1, as RFC 9111 suggests.",
                value = "0.1",
                min = "0",
                max = "1",
                dynamic = true,
                watch = {"weir_cache_revalidations_total"},
                knownAs = "cache-setting lm-factor")
        double lmFactor,

        @Knob(
                doc = "Longest lifetime that lm-factor may assign. Longer saves requests to the origin and serves"
                        + " older content."
                        + " Rule of thumb: the age that a reader may see.",
                value = "1d",
                min = "0s",
                max = "365d",
                dynamic = true,
                watch = {"weir_cache_revalidations_total"},
                knownAs = "cache-setting max-uncheck")
        Duration maxUncheck,

        @Knob(
                doc = "How long after it became stale an object may be served while its origin fails, if the answer has"
                        + " no stale-if-error; 0: only answers with stale-if-error."
                        + " Rule of thumb: the longest outage that readers should not notice.",
                value = "0s",
                min = "0s",
                max = "365d",
                dynamic = true,
                watch = {"weir_cache_stale_hits_total"},
                knownAs = "cache-setting cover-errors")
        Duration coverErrors,

        @Knob(
                doc = "A fetch whose clients have all disconnected is completed if more than this share of it has"
                        + " arrived; 100 never completes it, 0 always does. It has proxy.time-outs.after-client-abort"
                        + " for that. A client that was answered 304 counts as one that stays."
                        + " Rule of thumb: the default; lower where storage of large objects matters more than"
                        + " the origin's line.",
                value = "75",
                unit = "percent",
                min = "0",
                max = "100",
                dynamic = true,
                watch = {"weir_cache_fills_abandoned_total", "weir_cache_fills_failed_total"},
                knownAs = "cache-setting term-percent")
        int termPercent,

        @Knob(
                doc = "Whether a request with Authorization may use and fill the cache where the answer permits it"
                        + " (public, s-maxage, must-revalidate). Off: such requests always bypass the cache.",
                value = "on",
                dynamic = true,
                watch = {"weir_cache_bypass_total"},
                knownAs = "cache-enable cache-auth")
        boolean cacheAuth,

        @Knob(
                doc = "Whether answers of https origins are cached.",
                value = "on",
                dynamic = true,
                watch = {"weir_cache_bypass_total"},
                knownAs = "cache-enable cache-https")
        boolean cacheHttps,

        @Knob(
                doc = "Ignores the Cache-Control and Pragma directives of requests (reload, no-store, max-age). Saves"
                        + " the origin from reload storms, against the specification.",
                value = "off",
                dynamic = true,
                watch = {"weir_cache_revalidations_total"},
                knownAs = "cache-setting ignore-reload")
        boolean ignoreReload,

        @Knob(
                doc = "What to do with answers that set cookies: refuse them, store them when they have public or"
                        + " s-maxage, or store them like any other.",
                value = "explicit",
                dynamic = true,
                watch = {"weir_cache_refusals_total"})
        Storability.SetCookie setCookie,

        @Knob(
                doc = "How long the cache remembers that an answer may not be stored, so that requests for it do not"
                        + " wait for each other. Too long a time delays collapsing once it becomes storable."
                        + " Rule of thumb: the default.",
                value = "60s",
                min = "0s",
                max = "1d",
                dynamic = true,
                watch = {"weir_cache_uncollapsed_total"})
        Duration hitForMiss,

        @Knob(
                doc = "Bytes by which the readers of an object too large to store may be apart; faster readers wait. A"
                        + " reader that keeps others waiting and reads less than half of the window in 30 s is cut off."
                        + " A larger window lets them be further apart and takes memory outside the budget, once for"
                        + " each such object in flight."
                        + " Rule of thumb: the default; a second of the slowest reader.",
                value = "256KiB",
                min = "16KiB",
                max = "64MiB",
                dynamic = true,
                watch = {"weir_cache_readers_cut_total", "weir_cache_window_bytes"})
        ByteSize fillWindow,

        @Knob(
                doc = "Requests that may wait for one fetch; further ones are fetched separately."
                        + " Raise it when many clients ask for one new object and the origin gets several"
                        + " fetches of it; each costs its client's connection and memory. Lower it when"
                        + " answers that turn out not to be storable make too many wait. Rule of thumb:"
                        + " the clients that may ask for one object at once.",
                value = "10000",
                unit = "requests",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = {"weir_cache_collapsed_total", "weir_cache_uncollapsed_total"})
        int maxWaiters,

        @Knob(
                doc = "How long the member of the cluster that owns a URL may take to begin its answer; then the origin"
                        + " is asked. The owner waits for the origin, too: shorter than the slowest origin, and each"
                        + " member asks that one by itself; longer, and clients wait for a member that hangs until the"
                        + " cluster notices. Rule of thumb: the default.",
                value = "10s",
                min = "50ms",
                max = "10m",
                dynamic = true,
                watch = {"weir_cache_owner_requests_total"})
        Duration ownerTimeOut,

        @Knob(
                doc = "How long the connection to that member may take; then the next one is asked."
                        + " Rule of thumb: the default, for members that are near each other.",
                value = "1s",
                min = "10ms",
                max = "1m",
                dynamic = true,
                watch = {"weir_cache_owner_requests_total"})
        Duration ownerConnectTimeOut,

        @Knob(
                doc = "Whether the processes of a server with server.processes above 1 ask each other instead of the"
                        + " origin: each URL has one process that fetches it and keeps it on its disk; the others keep"
                        + " what they are asked for in memory. Off: each process fetches and keeps everything for itself,"
                        + " which saves the first request of each process the way through another one."
                        + " Rule of thumb: on.",
                value = "on",
                watch = {"weir_cache_owner_requests_total", "weir_cache_member_requests_total"})
        boolean shareProcesses,

        @Knob(doc = "The disk tier below the memory.") DiskConfig disk) {}
