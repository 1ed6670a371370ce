package io.weir.proxy.pool;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Passes on a session's route: in the cookie set with an answer, and in the field sent to a server. Stateless. */
public final class SessionRoutes {
    private SessionRoutes() {}

    /** Sets the route's cookie if an answer sets a session cookie. */
    public static void mark(Fields fields, Attempts attempts) {
        int at = fields.indexOf(FieldName.SET_COOKIE, 0);
        Sticky sticky = at < 0 ? null : attempts.sessions();
        PoolServer server = attempts.server();
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

    /** The field with the server's own route; null without sticky sessions. */
    public static byte @Nullable [] line(@Nullable Attempts attempts) {
        Sticky sticky = attempts == null ? null : attempts.sessions();
        PoolServer server = attempts == null ? null : attempts.server();
        return sticky == null || server == null
                ? null
                : (sticky.routeHeader() + ": " + server.route() + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
