package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.KeyPath;
import io.weir.base.Nearest;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.tls.TlsConfig;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.pool.PoolServerConfig;
import io.weir.proxy.program.config.CertificateUser;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.origin.Origin;
import io.weir.server.users.FileRealm;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Warns of values that are valid by themselves, but make no sense in combination. Used once. */
final class DoubtfulValues {
    /** Statuses whose answers have no body (RFC 9110 6.4.1). */
    private static final Set<Integer> BODILESS = Set.of(204, 205, 304);

    /** The methods of RFC 9110, RFC 5789, WebDAV, and of caches. */
    private static final Set<String> METHODS = Set.of(
            ("GET HEAD POST PUT DELETE OPTIONS TRACE PATCH CONNECT QUERY PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK"
                            + " REPORT SEARCH ACL BIND MERGE LINK UNLINK CHECKOUT CHECKIN LABEL MKACTIVITY MKCALENDAR"
                            + " PURGE BAN")
                    .split(" "));

    /** Longer unknown words are treated as names defined by the user. */
    private static final int MISTYPED = 8;

    private final WeirConfig config;
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> found = new ArrayList<>();

    private DoubtfulValues(WeirConfig config, ConfigNode.Mapping tree) {
        this.config = config;
        this.tree = tree;
    }

    /** @param users the users of {@code ./weir passwd}; null if unknown */
    static List<ConfigProblem> of(
            WeirConfig config, ConfigNode.Mapping tree, @Nullable Collection<FileRealm.User> users) {
        DoubtfulValues values = new DoubtfulValues(config, tree);
        values.messaging();
        values.admin();
        values.accessLogs();
        values.config
                .proxy()
                .origins()
                .forEach((name, pool) -> values.origins(
                        "proxy.origins." + name + ".servers",
                        pool.servers().stream()
                                .map(PoolServerConfig::url)
                                .filter(Objects::nonNull)
                                .toList()));
        List<RouteConfig> routes = config.proxy().routes();
        for (int i = 0; i < routes.size(); i++) {
            values.route("proxy.routes[" + i + "]", routes.get(i), users);
        }
        return values.found;
    }

    private void report(String key, String what) {
        found.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }

    private void messaging() {
        MessagingConfig m = config.messaging();
        m.queues().forEach((name, d) -> itself(KeyPath.join("messaging.queues", name), "queue/" + name, d));
        m.topics().forEach((name, d) -> itself(KeyPath.join("messaging.topics", name), "topic/" + name, d));
        boolean spoken = config.listeners().values().stream().anyMatch(l -> l.protocol() == ListenerProtocol.WEIR);
        if (!spoken && !(m.queues().isEmpty() && m.topics().isEmpty())) {
            report(
                    "messaging",
                    "there are destinations, and no listener for messaging: they cannot be reached. Add one, such as"
                            + " listeners: {messaging: {port: 7001, protocol: weir}}");
        }
    }

    private void itself(String section, String name, DestinationConfig d) {
        if (d.deliveryFailure().errorDestination().equals(name)) {
            report(
                    section + ".delivery-failure.error-destination",
                    "is the destination itself: what cannot be delivered from it is discarded, as if there were none");
        }
    }

    private void admin() {
        String address = config.admin().address();
        try {
            if (config.admin().enabled() && !InetAddress.getByName(address).isLoopbackAddress()) {
                report(
                        "admin.address",
                        address
                                + " is reached from other machines, and the admin listener has no TLS: tokens and"
                                + " passwords can be read on the way. Keep it on 127.0.0.1 and use a tunnel,"
                                + " or a separate network");
            }
        } catch (UnknownHostException e) {
            // whether it can be bound is tried elsewhere
        }
    }

    private void accessLogs() {
        if (config.server().processes() > 1) {
            shared("server.log.file", config.server().log().file());
            accessLog("proxy.access-log", config.proxy().accessLog());
            config.proxy().accessLogs().forEach((name, log) -> accessLog("proxy.access-logs." + name, log));
        }
    }

    private void accessLog(String key, AccessLogConfig log) {
        if (log.format() != AccessLogConfig.Style.OFF) {
            shared(key + ".file", log.file());
        }
    }

    private void shared(String key, String file) {
        if (Path.of(file).isAbsolute()) {
            report(
                    key,
                    "all " + config.server().processes()
                            + " processes write this one file, and each rotates it by its own size and time: records"
                            + " can be lost. Give a relative name, so that each has its own file in"
                            + " workers/NUMBER of the data directory");
        }
    }

    private void route(String key, RouteConfig route, @Nullable Collection<FileRealm.User> users) {
        origins(key + ".origins", route.origins());
        route.methods().forEach(m -> method(key + ".methods", m));
        route.allowedMethods().forEach(m -> method(key + ".allowed-methods", m));
        if (BODILESS.contains(route.respond().status()) && route.respond().body() != null) {
            report(
                    key + ".respond.body",
                    "an answer with the status " + route.respond().status() + " has no body: this one is not sent");
        }
        boolean certificates = route.auth().certificate() != CertificateUser.OFF;
        if (certificates && config.listeners().values().stream().noneMatch(DoubtfulValues::asks)) {
            report(
                    key + ".auth.certificate",
                    "no listener requests certificates of clients, so no request has one. Give"
                            + " listeners.NAME.tls.client-auth and client-trust");
        }
        if (users != null && route.auth().basic() && !certificates) {
            Set<String> names = new TreeSet<>();
            Set<String> groups = new TreeSet<>();
            users.forEach(u -> {
                names.add(u.name());
                groups.addAll(u.groups());
            });
            known(key + ".auth.users", "user", route.auth().users(), names, "./weir passwd NAME");
            known(key + ".auth.groups", "group", route.auth().groups(), groups, "./weir passwd NAME --group GROUP");
        }
    }

    /** Unknown methods are allowed; one that differs a little from a known one is probably mistyped. */
    private void method(String key, String method) {
        if (METHODS.contains(method)) {
            return;
        }
        String meant = METHODS.contains(method.toUpperCase(Locale.ROOT))
                ? method.toUpperCase(Locale.ROOT)
                : method.length() < MISTYPED ? Nearest.of(method, METHODS) : null;
        if (meant != null) {
            report(
                    key,
                    "\"" + method + "\" is not a known method, and methods are case-sensitive; did you mean \"" + meant
                            + "\"?");
        }
    }

    private static boolean asks(ListenerConfig l) {
        return l.secure() && l.tls().clientAuth() != TlsConfig.ClientAuth.NONE;
    }

    private void known(String key, String what, List<String> given, Set<String> known, String remedy) {
        for (String name : given) {
            if (!known.contains(name)) {
                String nearest = Nearest.of(name, known);
                report(
                        key,
                        "there is no " + what + " \"" + name + "\" here"
                                + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?") + " Add it with "
                                + remedy);
            }
        }
    }

    private void origins(String key, List<String> urls) {
        Set<Origin> seen = new HashSet<>();
        for (String url : urls) {
            Origin origin = Origin.parse(url);
            if (!seen.add(origin)) {
                report(key, url + " is listed twice");
            }
            for (Map.Entry<String, ListenerConfig> l : config.listeners().entrySet()) {
                if (l.getValue().port() == origin.port()
                        && l.getValue().port() != 0
                        && here(origin.host(), l.getValue())) {
                    report(
                            key,
                            url + " is listeners." + l.getKey()
                                    + " of this server: its requests come back here, until Via shows the loop");
                }
            }
        }
    }

    /** Compares addresses only; names are not resolved. */
    private static boolean here(String host, ListenerConfig listener) {
        String on = listener.address();
        boolean all = on.equals("0.0.0.0") || on.equals("::");
        boolean loopback = host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
        return host.equals(on)
                || (loopback && (all || on.startsWith("127.") || on.equals("localhost") || on.equals("::1")));
    }
}
