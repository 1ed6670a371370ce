package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.DURATION;
import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.INTEGER;
import static io.weir.proxy.function.ParameterSpec.Type.ORIGIN;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.base.Durations;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.pool.StickyConfig;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.ClientTimeOuts;
import io.weir.proxy.program.run.OriginStep;
import io.weir.proxy.program.run.ParentStep;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The functions of Route and DNS, and those of ObjectType that set how origins are spoken to. Stateless. */
final class OriginFunctions {
    private OriginFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                setOriginServer(),
                SimpleFunction.of(
                        "unset-origin-server",
                        Set.of(Stage.ROUTE),
                        "Less specific objects set no origins.",
                        List.of(),
                        _ -> run -> {
                            run.noRoute();
                            return StepOutcome.NOACTION;
                        }),
                setProxyServer(),
                SimpleFunction.of(
                        "unset-proxy-server",
                        Set.of(Stage.ROUTE),
                        "Less specific objects set no proxy behind this one: the request goes to the host that it names.",
                        List.of(),
                        _ -> run -> {
                            run.parents(null);
                            return StepOutcome.NOACTION;
                        }),
                nothing("unset-socks-server", Stage.ROUTE, "No SOCKS server: there never is."),
                httpClientConfig(),
                httpConfig(),
                sslClientConfig(),
                javaIpCheck(),
                dnsConfig());
    }

    private static SimpleFunction nothing(String name, Stage stage, String doc, ParameterSpec... parameters) {
        return SimpleFunction.of(name, Set.of(stage), doc, List.of(parameters), _ -> _ -> StepOutcome.NOACTION);
    }

    private static ServerFunction setOriginServer() {
        return SimpleFunction.of(
                        "set-origin-server",
                        Set.of(Stage.ROUTE),
                        "Sets the origins of a reverse request: servers with the same content, chosen by their pool's policy.",
                        List.of(
                                ParameterSpec.repeated("server", ORIGIN, "URL of an origin"),
                                ParameterSpec.optional(
                                        "pool", TEXT, "the entry of proxy.origins that these servers belong to"),
                                ParameterSpec.of("rewrite-host", FLAG, "false", "the origin sees its own name in Host"),
                                ParameterSpec.of("rewrite-location", FLAG, "true", "map Location back"),
                                ParameterSpec.of("rewrite-content-location", FLAG, "true", "map Content-Location back"),
                                new ParameterSpec(
                                        "rewrite-field",
                                        TEXT,
                                        null,
                                        false,
                                        true,
                                        List.of(),
                                        "map a further field back"),
                                ParameterSpec.of("sticky", FLAG, "true", "sessions stay with their server"),
                                ParameterSpec.of(
                                        "sticky-cookie",
                                        TEXT,
                                        StickyConfig.COOKIES,
                                        "the application's session cookies"),
                                ParameterSpec.of(
                                        "sticky-param", TEXT, "jsessionid", "parameter that holds value:route"),
                                ParameterSpec.of("route-hdr", TEXT, "Proxy-jroute", "field that names the route"),
                                ParameterSpec.of("route-cookie", TEXT, "JROUTE", "cookie that holds the route")),
                        p -> new OriginStep(new OriginRoute(
                                p.all("server").stream().map(Origin::parse).toList(),
                                p.text("pool"),
                                new StickyConfig(
                                        p.on("sticky"),
                                        p.need("sticky-cookie"),
                                        p.need("sticky-param"),
                                        p.need("route-hdr"),
                                        p.need("route-cookie")),
                                new OriginRoute.Rewrites(
                                        p.on("rewrite-host"),
                                        p.on("rewrite-location"),
                                        p.on("rewrite-content-location"),
                                        Rewrites.all(p)))))
                .further(Rewrites::declared);
    }

    private static ServerFunction setProxyServer() {
        return SimpleFunction.of(
                "set-proxy-server",
                Set.of(Stage.ROUTE),
                "Sets the proxies behind this one that forwarded requests and tunnels go to, in turn.",
                List.of(
                        new ParameterSpec(
                                "server",
                                ORIGIN,
                                null,
                                false,
                                true,
                                List.of(),
                                "URL of a proxy; several share the load"),
                        ParameterSpec.optional("hostname", TEXT, "instead of server: the proxy's host"),
                        ParameterSpec.optional("port", INTEGER, "and its port")),
                p -> new ParentStep(OriginRoute.parents(proxies(p))));
    }

    private static List<Origin> proxies(Parameters p) {
        List<Origin> proxies =
                new ArrayList<>(p.all("server").stream().map(Origin::parse).toList());
        if (p.given("hostname") != p.given("port")) {
            throw new IllegalArgumentException(
                    "\"hostname\" and \"port\" belong together: the proxy's host and its port");
        }
        if (p.given("hostname") && !proxies.isEmpty()) {
            throw new IllegalArgumentException("either \"server\", or \"hostname\" and \"port\"");
        }
        if (p.given("hostname")) {
            String host = p.need("hostname");
            String name = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
            proxies.add(Origin.parse("http://" + name + ":" + p.integer("port")));
        }
        if (proxies.isEmpty()) {
            throw new IllegalArgumentException("needs \"server\", such as server=\"http://proxy.example.com:8080\", or"
                    + " \"hostname\" and \"port\"");
        }
        return proxies;
    }

    private static ParameterSpec kept(String name, ParameterSpec.Type type, String why) {
        return ParameterSpec.optional(name, type, "accepted; " + why);
    }

    private static ServerFunction httpClientConfig() {
        return SimpleFunction.of(
                "http-client-config",
                Set.of(Stage.OBJECT_TYPE),
                "Time-outs for origins that differ from proxy.time-outs.",
                List.of(
                        ParameterSpec.of("connect-timeout", DURATION, "0", "to connect; 0: proxy.time-outs.connect"),
                        ParameterSpec.of(
                                "timeout", DURATION, "0", "for the answer; 0: proxy.time-outs.response-header"),
                        ParameterSpec.of("body-timeout", DURATION, "0", "for its body; 0: proxy.time-outs.body-idle"),
                        ParameterSpec.optional("keep-alive", FLAG, "on; off is refused, see proxy.origin-pool"),
                        kept("keep-alive-timeout", DURATION, "see proxy.origin-pool.idle-time-out"),
                        kept("always-use-keep-alive", FLAG, "only idempotent requests are sent again (RFC 9110 9.2.2)"),
                        ParameterSpec.optional("protocol", TEXT, "HTTP/1.1; others are refused"),
                        kept("proxy-agent", TEXT, "Via names this proxy, see proxy.via"),
                        kept("transmit-timeout", DURATION, "see proxy.time-outs"),
                        kept("parse-timeout", DURATION, "timeout covers the answer's head"),
                        kept("poll-interval", DURATION, "nothing polls"),
                        kept("retries", INTEGER, "see proxy.origins"),
                        kept("reformat-request-headers", FLAG, "fields are always written anew"),
                        ParameterSpec.optional(
                                "tunnel-non-http-response",
                                FLAG,
                                "off; on is refused: what is no HTTP is answered 502"),
                        kept("always-allow-chunked", FLAG, "HTTP/1.1 always allows it"),
                        kept("via", FLAG, "Via is always sent (RFC 9110 section 7.6.3)"),
                        kept("cache-info", FLAG, "origins are not told of hits")),
                p -> {
                    ClientTimeOuts t = new ClientTimeOuts(
                            nanos(p, "connect-timeout"), nanos(p, "timeout"), nanos(p, "body-timeout"));
                    clientSettings(p);
                    return run -> {
                        run.timeOuts(t);
                        return StepOutcome.NOACTION;
                    };
                });
    }

    private static void clientSettings(Parameters p) {
        if (p.given("keep-alive") && !p.on("keep-alive")) {
            throw new IllegalArgumentException("\"keep-alive\" off: a connection for each request is a limit of a pool,"
                    + " proxy.origin-pool, not of a request");
        }
        if (p.given("protocol") && !p.need("protocol").matches("(HTTP/)?1\\.1")) {
            throw new IllegalArgumentException(
                    "\"protocol\" is HTTP/1.1; HTTP/2 is proxy.origins.*.http2, found \"" + p.need("protocol") + "\"");
        }
        if (p.given("tunnel-non-http-response") && p.on("tunnel-non-http-response")) {
            throw new IllegalArgumentException(
                    "\"tunnel-non-http-response\" on: an answer that is no HTTP could be read in"
                            + " two ways, and is answered 502");
        }
    }

    private static long nanos(Parameters p, String name) {
        return Durations.parse(p.need(name)).toNanos();
    }

    private static ServerFunction httpConfig() {
        return nothing(
                "http-config",
                Stage.OBJECT_TYPE,
                "Accepted: the connections to origins are those of proxy.origin-pool.",
                ParameterSpec.optional("keep-alive", FLAG, "accepted; connections are kept"));
    }

    private static ServerFunction sslClientConfig() {
        return SimpleFunction.of(
                "ssl-client-config",
                Set.of(Stage.OBJECT_TYPE),
                "Accepted if it asks for what proxy.origin-tls does: origins' certificates are validated.",
                List.of(
                        ParameterSpec.of("validate-server-cert", FLAG, "true", "off is refused: see proxy.origin-tls"),
                        ParameterSpec.optional("client-cert-nickname", TEXT, "refused: see proxy.origin-tls")),
                p -> {
                    if (!p.on("validate-server-cert") || p.given("client-cert-nickname")) {
                        throw new IllegalArgumentException(
                                "TLS to origins is set once, by proxy.origin-tls: which certificates are trusted, and"
                                        + " which one this server shows");
                    }
                    return _ -> StepOutcome.NOACTION;
                });
    }

    private static ServerFunction javaIpCheck() {
        return SimpleFunction.of(
                "java-ip-check",
                Set.of(Stage.OBJECT_TYPE),
                "Accepted if it is off: it told applets the origin's address, and browsers run none.",
                List.of(ParameterSpec.of("status", FLAG, "on", "off; on is refused")),
                p -> {
                    if (p.on("status")) {
                        throw new IllegalArgumentException(
                                "\"status\" on: addresses of origins are told to nobody, and browsers run no applets");
                    }
                    return _ -> StepOutcome.NOACTION;
                });
    }

    private static ServerFunction dnsConfig() {
        return nothing(
                "dns-config",
                Stage.DNS,
                "Accepted: a name with a dot is looked up as it is before any domain is appended (ndots).",
                ParameterSpec.of("local-domain-levels", INTEGER, "1", "accepted; see ndots of /etc/resolv.conf"));
    }
}
