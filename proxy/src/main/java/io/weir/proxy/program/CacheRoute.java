package io.weir.proxy.program;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** {@code routes[].cache}: compiled to cache-enable, cache-disable and cache-setting. Immutable. */
public record CacheRoute(
        @Knob(doc = "Whether answers may be stored and reused.", value = "on", dynamic = true, seed = "cache-enable")
        boolean enabled,

        @Knob(
                doc = "Longest query of a URL that is cached; 0: URLs with a query are not cached.",
                value = "2048",
                unit = "bytes",
                min = "0",
                max = "65536",
                dynamic = true,
                seed = "cache-enable query-maxlen")
        int queryMaxlen,

        @Knob(doc = "Smallest body that is stored.", value = "0", dynamic = true, seed = "cache-enable min-size")
        ByteSize minSize,

        @Knob(
                doc = "Largest body that is stored; 0: what the store allows.",
                value = "0",
                dynamic = true,
                seed = "cache-enable max-size")
        ByteSize maxSize,

        @Knob(
                doc = "Longest time for which a stored answer is used without asking the origin; 0: as long as it is"
                        + " fresh.",
                value = "0s",
                min = "0s",
                max = "366d",
                dynamic = true,
                seed = "cache-setting max-uncheck")
        Duration maxUncheck,

        @Knob(
                doc = "Share of the time since the last modification for which an answer without explicit freshness is"
                        + " fresh (RFC 9111 4.2.2).",
                value = "0.1",
                min = "0",
                max = "1",
                dynamic = true,
                seed = "cache-setting lm-factor")
        double lmFactor,

        @Knob(
                doc = "How long a stale answer may be used when the origin fails.",
                value = "0s",
                min = "0s",
                max = "366d",
                dynamic = true,
                seed = "cache-setting cover-errors")
        Duration coverErrors,

        @Knob(
                doc = "Answers to requests with Authorization may be stored although nothing in them allows it.",
                value = "off",
                dynamic = true,
                seed = "cache-enable cache-auth")
        boolean cacheAuth) {}
