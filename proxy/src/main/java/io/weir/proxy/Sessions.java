package io.weir.proxy;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.proxy.origins.Attempts;
import io.weir.proxy.origins.Hashing;
import io.weir.proxy.origins.PoolRules;
import io.weir.proxy.origins.RequestKey;
import io.weir.proxy.origins.Server;
import io.weir.proxy.origins.ServerPool;
import io.weir.proxy.origins.Sticky;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What of a request decides on its server, and what an answer says of its session. Stateless. */
final class Sessions {
    private Sessions() {}

    /** What a pool's choice depends on for this request; nothing is read where there is no choice. */
    static RequestKey key(Exchange exchange, ServerPool pool) {
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

    private static RequestKey hashed(Exchange exchange, RequestHead head, PoolRules rules, @Nullable String route) {
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

    /** Sets the route's cookie beside the session's, where an answer sets that. */
    static void mark(Fields fields, Attempts attempts) {
        int at = fields.indexOf(FieldName.SET_COOKIE, 0);
        Sticky sticky = at < 0 ? null : attempts.sessions();
        Server server = attempts.server();
        if (sticky == null || server == null) {
            return;
        }
        String beside = null;
        while (at >= 0 && beside == null) {
            beside = sticky.beside(fields.value(at), server.route());
            at = fields.indexOf(FieldName.SET_COOKIE, at + 1);
        }
        if (beside != null) {
            fields.add(FieldName.SET_COOKIE, beside);
        }
    }

    /** The line that tells a server its own route; null where sessions do not stick. */
    static byte @Nullable [] line(@Nullable Attempts attempts) {
        Sticky sticky = attempts == null ? null : attempts.sessions();
        Server server = attempts == null ? null : attempts.server();
        return sticky == null || server == null
                ? null
                : (sticky.routeHeader() + ": " + server.route() + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
