package io.weir.proxy.exchange;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Framing;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.http.caching.Invalidation;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.HttpDate;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.Relayed;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.OriginConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts an origin's answer to the client's if it bypasses the store. Stateless. */
final class RelayedAnswer {
    private RelayedAnswer() {}

    /** Writes the head of a final answer. */
    static void head(ExchangeState exchange, ResponseHead answer) {
        boolean keep = exchange.keepsAlive();
        exchange.response().relay(answer, answer.status(), keep, exchange.note());
    }

    /**
     * Answers 304 if the client already has the answer. Its conditions were not sent to the origin, because the answer
     * might have been storable; since it is not, they are evaluated as the origin would (RFC 9110 section 13.2).
     *
     * @return false if the answer is to be relayed
     */
    static boolean notModified(ExchangeState exchange, ResponseHead answer) {
        RequestHead request = exchange.head();
        Fields requestFields = request.fields();
        if (answer.status() / 100 != 2 || !Conditionals.isConditional(requestFields)) {
            return false;
        }
        Fields fields = answer.fields();
        long now = exchange.loopContext().clock().millis() / 1000;
        long modified = HttpDate.parse(fields.combined(FieldName.LAST_MODIFIED), now);
        String tag = fields.combined(FieldName.ETAG);
        if (Conditionals.byOrigin(request.methodId(), requestFields, true, tag, modified, now)
                != Conditionals.Outcome.NOT_MODIFIED) {
            return false;
        }
        boolean keep = exchange.keepsAlive();
        exchange.response().relay(answer, 304, keep, exchange.note());
        return true;
    }

    /** After a successful unsafe request, the stored answers for its target are invalidated (RFC 9111 section 4.4). */
    static void invalidate(ExchangeState exchange, ResponseHead answer) {
        if (exchange.head().methodId().safe()) {
            return;
        }
        UriTarget target = target(exchange);
        if (target == null) {
            return;
        }
        Cache cache = exchange.loopContext().proxy().cache();
        List<UriTarget> stale = Invalidation.of(exchange.head().methodId(), target, answer.status(), answer.fields());
        CacheOwners owners = exchange.loopContext().proxy().owners();
        for (UriTarget t : stale) {
            cache.invalidate(t);
            owners.changed(t);
        }
    }

    /** The answer to a HEAD may refresh or invalidate the stored answer to GET (RFC 9111 section 4.3.5). */
    static void freshen(ExchangeState exchange, Fetch fetch, ResponseHead answer) {
        CacheRequest cacheRequest = exchange.freshens;
        if (cacheRequest != null) {
            Cache cache = exchange.loopContext().proxy().cache();
            OriginConnection by = fetch.connection();
            cache.headAnswered(
                    cacheRequest,
                    answer.status(),
                    answer.fields(),
                    fetch.requestMillis(),
                    fetch.responseMillis(),
                    by == null ? null : by.from());
        }
    }

    /** A fill to lead with the answer, if the cache expected it not to be storable and it is; else null. */
    static @Nullable Fill storable(ExchangeState exchange, Fetch fetch, ResponseHead answer) {
        Decision.Relay decided = exchange.relay;
        if (decided == null) {
            return null;
        }
        exchange.relay = null;
        Relayed verdict = exchange.loopContext().proxy().cache().relayed(decided, headOf(fetch, answer));
        exchange.note().passed(verdict.reason());
        return verdict.fill();
    }

    /** As the store sees it. */
    static StoragePlan.Head headOf(Fetch fetch, ResponseHead answer) {
        OriginConnection by = fetch.connection();
        return headOf(fetch, answer, by == null ? null : by.from());
    }

    /** As above, for an answer that another member fetched. */
    static StoragePlan.Head headOf(Fetch fetch, ResponseHead answer, @Nullable FetchedFrom from) {
        // an answer without a body has no length, whatever Content-Length the origin sent (RFC 9110 section 8.6)
        long length = answer.framing() == Framing.NONE ? 0 : answer.contentLength();
        return new StoragePlan.Head(
                answer.status(),
                answer.fields(),
                length,
                fetch.requestMillis(),
                fetch.responseMillis(),
                answer.version(),
                from);
    }

    /** What the request asks for; null if that is no URL. */
    static @Nullable UriTarget target(ExchangeState exchange) {
        String path = exchange.run().target();
        return path.startsWith("/") ? UriTarget.parse(exchange.run().publicOrigin() + path) : null;
    }
}
