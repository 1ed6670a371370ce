package io.weir.proxy;

import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.http.caching.Invalidation;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.CacheRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns an origin's answer into the client's where it does not pass through the store. Stateless. */
final class Relay {
    private Relay() {}

    /** Writes the head of a final answer. */
    static void head(Exchange exchange, ResponseHead answer) {
        boolean keep = exchange.client().mayKeepAlive(exchange.head());
        exchange.response().relay(answer, keep, exchange.note());
    }

    /** A version as Via names it (RFC 9110 section 7.6.3). */
    static String via(Version received) {
        return switch (received) {
            case HTTP_1_0 -> "1.0";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }

    static String publicOrigin(Exchange exchange) {
        String host = exchange.head().host();
        return (exchange.secure() ? "https://" : "http://") + (host == null ? "" : host);
    }

    /** After a successful unsafe request: what is stored for its target is out of date (RFC 9111 section 4.4). */
    static void invalidate(Exchange exchange, ResponseHead answer) {
        if (exchange.head().methodId().safe()) {
            return;
        }
        UriTarget target = target(exchange);
        if (target == null) {
            return;
        }
        Cache cache = exchange.loopContext().proxy().cache();
        List<UriTarget> stale = Invalidation.of(exchange.head().methodId(), target, answer.status(), answer.fields());
        for (UriTarget t : stale) {
            cache.invalidate(t);
        }
    }

    /** The answer to a HEAD tells about the stored answer to GET (RFC 9111 section 4.3.5). */
    static void freshen(Exchange exchange, Fetch fetch, ResponseHead answer) {
        CacheRequest asked = exchange.lookUp().freshens();
        if (asked != null) {
            Cache cache = exchange.loopContext().proxy().cache();
            OriginConnection by = fetch.connection();
            cache.headAnswered(
                    asked,
                    answer.status(),
                    answer.fields(),
                    fetch.requestMillis(),
                    fetch.responseMillis(),
                    by == null ? null : by.from());
        }
    }

    private static @Nullable UriTarget target(Exchange exchange) {
        String text = exchange.head().target();
        return UriTarget.parse(text.startsWith("/") ? publicOrigin(exchange) + text : text);
    }
}
