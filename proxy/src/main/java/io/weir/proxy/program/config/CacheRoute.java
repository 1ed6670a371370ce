package io.weir.proxy.program.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.proxy.cache.config.CacheTerms;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code routes[].cache}: compiled to cache-enable, cache-disable and cache-setting. Immutable. */
public record CacheRoute(
        @Knob(
                doc = "Whether answers may be stored and reused.",
                value = "on",
                dynamic = true,
                watch = {"weir_cache_hits_total", "weir_cache_bypass_total"},
                knownAs = "cache-enable")
        boolean enabled,

        @Knob(
                doc = "Longest query of a URL that is cached; 0: URLs with a query are not cached; auto:"
                        + " cache.query-maxlen."
                        + " Rule of thumb: auto.",
                value = "auto",
                auto = true,
                unit = "bytes",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = "weir_cache_bypass_total",
                knownAs = "cache-enable query-maxlen")
        int queryMaxlen,

        @Knob(
                doc = "Smallest body that is stored; if not set, cache.min-object-size." + " Rule of thumb: not set.",
                max = "900GiB",
                dynamic = true,
                watch = "weir_cache_refusals_total",
                knownAs = "cache-enable min-size")
        @Nullable
        ByteSize minSize,

        @Knob(
                doc = "Largest body that is stored; if not set, or 0, cache.max-object-size, and on the disk"
                        + " cache.disk.max-object-size. With a disk tier, bodies larger than cache.max-object-size"
                        + " (at least 1MiB) are kept on the disk only, up to cache.disk.max-object-size; without one"
                        + " all of it is memory."
                        + " Set it lower for routes with few large objects that would evict many small ones.",
                max = "900GiB",
                dynamic = true,
                watch = {"weir_cache_refusals_total", "weir_cache_fills_too_large_total"},
                knownAs = "cache-enable max-size")
        @Nullable
        ByteSize maxSize,

        @Knob(
                doc = "Longest time for which a stored answer is used without revalidation, even if it is fresh for"
                        + " longer; 0: always revalidate. If not set, as long as it is fresh."
                        + " Set it when answers change before they become stale; each check costs the origin a"
                        + " request. Rule of thumb: the age that a reader would notice.",
                min = "0s",
                max = "366d",
                dynamic = true,
                watch = "weir_cache_revalidations_total",
                knownAs = "cache-setting max-uncheck")
        @Nullable
        Duration maxUncheck,

        @Knob(
                doc = "Share of the time since the last modification for which an answer without explicit freshness is"
                        + " fresh (RFC 9111 4.2.2); auto: cache.lm-factor."
                        + " Rule of thumb: auto; 0 for applications whose answers must not be guessed at.",
                value = "auto",
                auto = true,
                min = "0",
                max = "1",
                dynamic = true,
                watch = "weir_cache_revalidations_total",
                knownAs = "cache-setting lm-factor")
        double lmFactor,

        @Knob(
                doc = "How long a stale answer may be used when the origin fails; if not set, cache.cover-errors."
                        + " Rule of thumb: the longest outage that readers should not notice.",
                min = "0s",
                max = "366d",
                dynamic = true,
                watch = "weir_cache_stale_hits_total",
                knownAs = "cache-setting cover-errors")
        @Nullable
        Duration coverErrors,

        @Knob(
                doc = "A fetch whose clients have all disconnected is completed if more than this share of it has"
                        + " arrived; 100 never completes it, 0 always does; auto: cache.term-percent."
                        + " Rule of thumb: auto; 0 for large files that others will ask for.",
                value = "auto",
                auto = true,
                unit = "percent",
                min = "0",
                max = "100",
                dynamic = true,
                watch = {"weir_cache_fills_abandoned_total", "weir_cache_fills_failed_total"},
                knownAs = "cache-setting term-percent")
        int termPercent,

        @Knob(
                doc = "Answers to requests with Authorization may be stored even if nothing in them allows it, and are"
                        + " then served to all users.",
                value = "off",
                dynamic = true,
                watch = "weir_cache_bypass_total",
                knownAs = "cache-enable cache-auth")
        boolean cacheAuth,

        @Knob(
                doc = "When the origin is contacted. normal: when the cache may not answer; fast-demo: only when the"
                        + " cache has nothing at all, fresh or stale; never: not at all, so that what is not in"
                        + " the cache is answered 504.",
                value = "normal",
                dynamic = true,
                watch = {"weir_cache_stale_hits_total", "weir_cache_only_if_cached_total"},
                knownAs = "cache-setting connect-mode")
        CacheTerms.ConnectMode connectMode,

        @Knob(
                doc = "Cache directives that are ignored, against the specification: no-cache and reload (all cache"
                        + " directives) of requests, no-store and private of answers.",
                dynamic = true,
                watch = "weir_cache_refusals_total",
                knownAs = "cache-setting ignore-no-cache, ignore-no-store, ignore-private, ignore-reload")
        List<CacheTerms.Ignored> ignore) {}
