package io.weir.proxy.program.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.http2.Http2Config;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.qos.ClientLimits;
import java.util.List;
import java.util.Map;

/** The section {@code proxy}: what the proxy answers, for whom, from where, and within which bounds. Immutable. */
public record ProxyConfig(
        @Knob(
                doc = "Rules from requests to actions. Without any, the built-in default serves a demo origin and is a"
                        + " forward proxy for clients on this machine.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "NameTrans")
        List<RouteConfig> routes,

        @Knob(
                doc =
                        "Jars with functions of one's own that routes may name (docs/functions.md), read at start; a relative"
                                + " name counts from the working directory.",
                unwatched = Unwatched.NAME,
                knownAs = "load-modules")
        List<String> functionJars,

        @Knob(doc = "Who may use the forward proxy and CONNECT, and which addresses they may reach.", dynamic = true)
        DestinationsConfig destinations,

        @Knob(doc = "How long to wait for origins.", dynamic = true)
        ProxyTimeOuts timeOuts,

        @Knob(doc = "Pools of servers that have the same content, by name; routes name them by pool.", dynamic = true)
        Map<String, OriginsConfig> origins,

        @Knob(doc = "Connections to origins.", dynamic = true)
        OriginPoolConfig originPool,

        @Knob(doc = "What is remembered of origins' names.", dynamic = true)
        DnsConfig dns,

        @Knob(doc = "How Weir speaks TLS to origins.") OriginTlsConfig originTls,

        @Knob(doc = "Bounds on requests and answers.", dynamic = true)
        ProxyLimits limits,

        @Knob(doc = "Bounds on the traffic of each client address.", dynamic = true)
        ClientLimits clientLimits,

        @Knob(
                doc =
                        "Count connections, requests and bytes a second, now and at most, of each listener, virtual server"
                                + " and client address though none has a limit; while one has, they are counted anyway.",
                value = "off",
                dynamic = true,
                watch = {"weir_qos_byte_rate", "weir_qos_byte_rate_most", "weir_qos_clients"},
                knownAs = "QoS enabled")
        boolean trafficFigures,

        @Knob(
                doc =
                        "How often an idempotent request (RFC 9110 section 9.2.2: GET, HEAD, OPTIONS, PUT, DELETE and the like)"
                                + " whose body is still at hand (proxy.limits.resend-body) is sent again after a reused connection"
                                + " died before the answer's first byte. More hides flapping origins; 0 shows them.",
                value = "1",
                unit = "retries",
                min = "0",
                max = "100",
                dynamic = true,
                watch = "weir_proxy_retries_total",
                knownAs = "http-client-config retries")
        int retries,

        @Knob(
                doc = "How often a function may restart a request from the beginning before that is an error.",
                value = "10",
                unit = "restarts",
                min = "0",
                max = "100",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        int restarts,

        @Knob(
                doc =
                        "The name that stands in Via and Cache-Status for this proxy and by which loops are found; the same"
                                + " in all members of a group only if they never forward to each other. auto is weir- and eight"
                                + " digits that are drawn at the first start and kept in the data directory.",
                value = ProxyConfig.AUTO,
                min = "1",
                max = "64",
                watch = "weir_proxy_faults_total",
                knownAs = "http-client-config via")
        String viaPseudonym,

        @Knob(
                doc = "What origins get about the client: nothing, X-Forwarded-For, -Host and -Proto, Forwarded"
                        + " (RFC 7239), or both. What the client itself sent of these is replaced, and dropped where"
                        + " this is off, unless it is a trusted proxy.",
                value = "x-forwarded",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "forward-ip")
        ForwardedMode forwarded,

        @Knob(
                doc = "What origins get about a client's TLS: nothing, Client-Cert and Client-Cert-Chain (RFC 9440),"
                        + " the Proxy-… fields of the Proxy Server, or both. What a client itself sends of these is always"
                        + " removed, unless it is a trusted proxy. Requests of clients with a certificate then pass by the"
                        + " cache as those with Authorization do.",
                value = "off",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "forward-auth-cert, forward-user-dn, forward-issuer-dn, forward-cipher, forward-keysize,"
                        + " forward-secret-keysize, forward-ssl-id")
        ClientCertificateMode clientCertificate,

        @Knob(
                doc =
                        "Addresses of other proxies in front: their Forwarded and X-Forwarded lists are kept and extended, and"
                                + " what they say by X-Forwarded-Proto is the request's scheme. What others say by these and"
                                + " fields like them (X-Real-IP, X-Original-URL, Proxy, ...) is removed.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        List<String> trustedProxies,

        @Knob(
                doc =
                        "Fields that pass behind a body, from clients to origins and back; a name that ends in * stands for all"
                                + " that begin so and that HTTP does not define. Clients get them only if they say TE: trailers."
                                + " A receiver that merges trailers into the head believes what is let through here.",
                value = "content-digest,repr-digest,digest,content-md5,etag,server-timing,signature,signature-input,"
                        + "authentication-info,grpc-*",
                dynamic = true,
                watch = "weir_http_trailers_dropped_total")
        List<String> trailers,

        @Knob(
                doc =
                        "Close the client's connection after an error that leaves the rest of its request unread, when more"
                                + " than this much of it is still to come; less is read and dropped.",
                value = "64KiB",
                min = "0",
                max = "16MiB",
                dynamic = true,
                watch = "weir_http_unread_rests_total")
        ByteSize drainAfterError,

        @Knob(doc = "What one HTTP/2 connection of a client may cost.", dynamic = true)
        Http2Config http2,

        @Knob(doc = "What is recorded of each exchange: the access log called global.")
        AccessLogConfig accessLog,

        @Knob(
                doc =
                        "More access logs by name, each with its own format and file, for all virtual servers or some. They"
                                + " come, go and change live.",
                dynamic = true)
        Map<String, AccessLogConfig> accessLogs) {

    static final String AUTO = "auto";

    /**
     * The name to use in Via and Cache-Status.
     *
     * @param instance used where the configuration gives none
     */
    public String pseudonym(String instance) {
        return viaPseudonym.equals(AUTO) ? instance : viaPseudonym;
    }
}
