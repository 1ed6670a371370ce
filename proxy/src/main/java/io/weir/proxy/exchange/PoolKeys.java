package io.weir.proxy.exchange;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.proxy.pool.Hashing;
import io.weir.proxy.pool.PoolRules;
import io.weir.proxy.pool.RequestKey;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.pool.Sticky;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/** The properties of a request that determine its server in a pool. Stateless. */
final class PoolKeys {
    private PoolKeys() {}

    /** The input of the pool's selection for this request; nothing is read if there is no choice. */
    static RequestKey of(ExchangeState exchange, ServerPool pool) {
        if (!pool.several()) {
            return RequestKey.NONE;
        }
        PoolRules rules = pool.rules();
        RequestHead head = exchange.head();
        String route = rules.sticky().enabled() ? route(head, rules.sticky()) : null;
        return switch (rules.balance()) {
            case HASH -> hashed(exchange, head, rules, route);
            case ROUND_ROBIN, LEAST_OUTSTANDING -> route == null ? RequestKey.NONE : new RequestKey(0, false, route);
        };
    }

    private static @Nullable String route(RequestHead head, Sticky sticky) {
        Fields fields = head.fields();
        return sticky.route(fields.combined(FieldName.COOKIE), head.target(), fields.combined(sticky.routeHeader()));
    }

    private static RequestKey hashed(
            ExchangeState exchange, RequestHead head, PoolRules rules, @Nullable String route) {
        String name = rules.hashName() == null ? "" : rules.hashName();
        String value = switch (rules.hashOn()) {
            case URL -> null;
            case HEADER -> head.fields().combined(name);
            case COOKIE -> cookie(head.fields().combined(FieldName.COOKIE), name);
            case CLIENT -> exchange.clientText();
        };
        if (value != null) {
            return new RequestKey(Hashing.of(value), true, route);
        }
        return switch (rules.hashOn()) {
            case URL -> new RequestKey(Hashing.of(exchange.run().target()), true, route);
            case HEADER, COOKIE, CLIENT -> new RequestKey(0, false, route);
        };
    }

    private static @Nullable String cookie(@Nullable String cookies, String name) {
        return cookies == null ? null : Sticky.cookie(cookies, name);
    }
}
