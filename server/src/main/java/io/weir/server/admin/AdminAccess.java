package io.weir.server.admin;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on the admin listener. Reads are open while it is bound to loopback; changes always need the token or
 * an administrator's password, and beyond loopback reads do, too. Host is checked against this server's names, so that
 * a web page cannot reach it by DNS rebinding, and changes sent by pages of another origin are refused. There are no
 * cookies, so a browser adds nothing by itself but Basic credentials. Immutable, shared.
 */
final class AdminAccess {
    private static final String CHALLENGE = "Bearer realm=\"weir admin\"";

    private final Set<String> names;
    private final boolean readsOpen;
    private final Predicate<String> token;
    private final boolean realm;

    AdminAccess(AdminConfig config, Predicate<String> token, AdminUsers users) {
        this.names = config.hosts().stream().map(AdminAccess::lower).collect(Collectors.toUnmodifiableSet());
        this.readsOpen = loopback(config.address());
        this.token = token;
        this.realm = !users.equals(AdminUsers.NONE);
    }

    private static boolean loopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // opening the listener fails on it and reports it
            return false;
        }
    }

    /** The verdict on a head that arrived at the local address. */
    AccessVerdict check(RequestHead head, InetSocketAddress local) {
        if (!ours(head.hostName(), local)) {
            return refused(
                    "host",
                    421,
                    "Misdirected request",
                    "The Host field has none of this server's names. Use localhost or the address, or add the name to"
                            + " admin.hosts.");
        }
        boolean change = head.methodId() != Method.GET && head.methodId() != Method.HEAD;
        if (change && foreign(head)) {
            return refused("origin", 403, "Forbidden", "Changes from pages of another origin are refused.");
        }
        return credentials(head.fields(), change);
    }

    private AccessVerdict credentials(Fields fields, boolean change) {
        int at = fields.indexOf(FieldName.AUTHORIZATION, 0);
        if (at < 0) {
            return readsOpen && !change
                    ? new AccessVerdict.Allowed(AdminRequest.ANONYMOUS)
                    : unauthorised("Credentials are missing");
        }
        if (fields.indexOf(FieldName.AUTHORIZATION, at + 1) >= 0) {
            return unauthorised("There is more than one Authorization field");
        }
        String value = fields.value(at);
        int space = value.indexOf(' ');
        String scheme = lower(space < 0 ? value : value.substring(0, space));
        String given = space < 0 ? "" : value.substring(space + 1).trim();
        return switch (scheme) {
            case "bearer" ->
                token.test(given) ? new AccessVerdict.Allowed("token") : unauthorised("The token is wrong");
            case "basic" -> basic(given);
            default -> unauthorised("The authentication scheme is unknown");
        };
    }

    private AccessVerdict basic(String given) {
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(given);
        } catch (IllegalArgumentException e) {
            return unauthorised("The Basic credentials are malformed");
        }
        String pair = new String(decoded, StandardCharsets.UTF_8);
        int colon = pair.indexOf(':');
        return colon <= 0 || !realm
                ? unauthorised("User or password is wrong")
                : new AccessVerdict.CheckPassword(pair.substring(0, colon), pair.substring(colon + 1));
    }

    /** The refusal of credentials, with what to send instead. */
    AccessVerdict.Refused unauthorised(String what) {
        AdminAnswer answer = AdminAnswer.problem(
                        401,
                        "Unauthorized",
                        what + ": send \"Authorization: Bearer\" and the token from the data directory"
                                + (realm ? ", or an administrator's user and password." : "."))
                .with("WWW-Authenticate", realm ? CHALLENGE + ", Basic realm=\"weir admin\"" : CHALLENGE);
        return new AccessVerdict.Refused("credentials", answer);
    }

    private boolean ours(@Nullable String host, InetSocketAddress local) {
        if (host == null || host.isEmpty()) {
            return false;
        }
        String name = lower(host);
        return switch (name) {
            case "localhost", "127.0.0.1", "[::1]" -> true;
            default -> names.contains(name) || name.equals(literal(local.getAddress()));
        };
    }

    // an address cannot be rebound: the one that was connected to is always this server's
    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String bare = zone < 0 ? text : text.substring(0, zone);
        return bare.indexOf(':') < 0 ? bare : "[" + bare + "]";
    }

    private static boolean foreign(RequestHead head) {
        String site = head.fields().first(FieldName.SEC_FETCH_SITE);
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        String origin = head.fields().first(FieldName.ORIGIN);
        String host = head.host();
        return origin != null
                && !origin.equalsIgnoreCase("http://" + host)
                && !origin.equalsIgnoreCase("https://" + host);
    }

    private static AccessVerdict refused(String reason, int status, String title, String detail) {
        return new AccessVerdict.Refused(reason, AdminAnswer.problem(status, title, detail));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
