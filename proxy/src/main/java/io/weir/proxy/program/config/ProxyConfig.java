package io.weir.proxy.program.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.TextFile;
import io.weir.base.Unwatched;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.http2.Http2Config;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.qos.ClientLimits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The section {@code proxy}: what the proxy answers, for whom, from where, and within which bounds. Immutable. */
public record ProxyConfig(
        @Knob(
                doc = "Rules that map requests to actions. Without any, the built-in default serves a demo origin and"
                        + " is a forward proxy for clients on this machine.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "NameTrans")
        List<RouteConfig> routes,

        @Knob(
                doc = "The request program as an obj.conf, instead of routes (docs/obj-conf.md). Its text is read at"
                        + " start and at each reload; a relative path is resolved against the working directory.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "obj.conf")
        @Nullable
        TextFile objects,

        @Knob(
                doc = "Variables that obj.conf may name as $NAME; those that a request sets hide them.",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "PROPERTY, set-variable")
        Map<String, String> variables,

        @Knob(
                doc = "Files of regular expressions, one a line, by the names that url-filter in obj.conf may give in"
                        + " allow and deny. They are read when the program is; a relative path is resolved against the"
                        + " working directory.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "init-url-filter")
        Map<String, String> urlFilters,

        @Knob(
                doc = "Files of media types by extension (mime.types), which type-by-extension in obj.conf uses if it"
                        + " names none; the first that has an extension counts. Without any, the usual types. They are"
                        + " read when the program is; a relative path is resolved against the working directory.",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "MIME, load-types")
        List<String> mimeTypes,

        @Knob(
                doc = "Jars with your own functions for routes (docs/functions.md), read at start; a relative path is"
                        + " resolved against the working directory.",
                unwatched = Unwatched.NAME,
                knownAs = "load-modules")
        List<String> functionJars,

        @Knob(
                doc = "Work manager of a function's calls whose directive or route names none, by the function's name;"
                        + " a function that blocks otherwise runs on that of the request. A work manager with one"
                        + " thread lets only one request into the function at a time, as code that is not"
                        + " thread-safe needs. Functions in filter, output and add-log have none.",
                dynamic = true,
                watch = {"weir_work_refused_total", "weir_proxy_pool_refusals_total"},
                knownAs = "load-modules pool, NativeThread")
        Map<String, String> functionWorkManagers,

        @Knob(
                doc = "Performance buckets by name, at most 62: requests, calls, waits and times of the functions whose"
                        + " directives name them (docs/monitoring.md). A name that directives use and that is not"
                        + " declared here is reported, and its calls are counted in default-bucket.",
                dynamic = true,
                watch = {"weir_proxy_bucket_requests_total", "weir_proxy_bucket_function_time_seconds_total"},
                knownAs = "define-perf-bucket")
        Map<String, BucketConfig> buckets,

        @Knob(
                doc = "Counts calls of functions, in performance buckets. Off, perfdump says Performance Statistics"
                        + " disabled, and stats-xml has no profiles. Switch it off when the processor time of two"
                        + " readings of the clock for each call with a bucket matters. Rule of thumb: on.",
                value = "on",
                dynamic = true,
                watch = "weir_proxy_bucket_invocations_total",
                knownAs = "perf-init disable, stats-init profiling")
        boolean profiling,

        @Knob(
                doc = "Which clients may use the forward proxy and CONNECT, and which addresses they may reach.",
                dynamic = true)
        DestinationsConfig destinations,

        @Knob(doc = "How long to wait for origins.", dynamic = true)
        ProxyTimeOuts timeOuts,

        @Knob(doc = "Pools of servers that have the same content, by name; routes name them by pool.", dynamic = true)
        Map<String, OriginsConfig> origins,

        @Knob(doc = "Connections to origins.", dynamic = true)
        OriginPoolConfig originPool,

        @Knob(doc = "Resolving and caching of origins' names.", dynamic = true)
        DnsConfig dns,

        @Knob(doc = "TLS settings for connections to origins.")
        OriginTlsConfig originTls,

        @Knob(doc = "Bounds on requests and answers.", dynamic = true)
        ProxyLimits limits,

        @Knob(doc = "Bounds on the traffic of each client address.", dynamic = true)
        ClientLimits clientLimits,

        @Knob(
                doc = "Counts connections, requests and bytes a second, current and maximum, of each listener,"
                        + " virtual server and client address even if none has a limit; while one has, they are"
                        + " always counted.",
                value = "off",
                dynamic = true,
                watch = {"weir_qos_byte_rate", "weir_qos_byte_rate_most", "weir_qos_clients"},
                knownAs = "QoS enabled")
        boolean trafficFigures,

        @Knob(
                doc = "How often an idempotent request (RFC 9110 section 9.2.2: GET, HEAD, OPTIONS, PUT, DELETE and"
                        + " the like) whose body is still buffered (proxy.limits.resend-body) is sent again"
                        + " after a reused connection died before the answer's first byte. With 0"
                        + " such a request is answered 502. Raise it when that still happens; each retry costs the origin a"
                        + " request. Rule of thumb: 1.",
                value = "1",
                unit = "retries",
                min = "0",
                max = "100",
                dynamic = true,
                watch = "weir_proxy_retries_total",
                knownAs = "http-client-config retries")
        int retries,

        @Knob(
                doc = "How often functions may restart a request from the beginning; one more is an error."
                        + " It ends loops. Raise it when functions need more steps; each costs the processor time"
                        + " of a new request. Rule of thumb: the default.",
                value = "10",
                unit = "restarts",
                min = "0",
                max = "100",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        int restarts,

        @Knob(
                doc = "Name of this proxy in Via and Cache-Status, by which loops are detected; servers may share one"
                        + " only if they never forward to each other. auto is weir- and eight random digits,"
                        + " generated at the first start and kept in the data directory.",
                value = ProxyConfig.AUTO,
                min = "1",
                max = "64",
                watch = "weir_proxy_faults_total",
                knownAs = "http-client-config via")
        String viaPseudonym,

        @Knob(
                doc = "What origins are told about the client: nothing, X-Forwarded-For, -Host and -Proto, Forwarded"
                        + " (RFC 7239), or both. Such fields sent by the client itself are replaced, and removed where"
                        + " this is off, unless it is a trusted proxy.",
                value = "x-forwarded",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "forward-ip")
        ForwardedMode forwarded,

        @Knob(
                doc = "What origins are told about a client's TLS: nothing, Client-Cert and Client-Cert-Chain (RFC"
                        + " 9440), the Proxy-… fields of the Proxy Server, or both. Such fields sent by a client itself"
                        + " are always removed, unless it is a trusted proxy. Requests of clients with a certificate"
                        + " then bypass the cache like those with Authorization.",
                value = "off",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "forward-auth-cert, forward-user-dn, forward-issuer-dn, forward-cipher, forward-keysize,"
                        + " forward-secret-keysize, forward-ssl-id")
        ClientCertificateMode clientCertificate,

        @Knob(
                doc = "Addresses of other proxies in front: their Forwarded and X-Forwarded lists are kept and"
                        + " extended, and their X-Forwarded-Proto is the request's scheme. From other clients"
                        + " these and similar fields (X-Real-IP, X-Original-URL, Proxy, ...) are removed.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        List<String> trustedProxies,

        @Knob(
                doc = "Trailer fields that are forwarded after a body, from clients to origins and back; a name that"
                        + " ends in * matches all names with that prefix that HTTP does not define. Clients get"
                        + " them only if they send TE: trailers. A receiver that merges trailers into the head"
                        + " trusts what is forwarded here.",
                value = "content-digest,repr-digest,digest,content-md5,etag,server-timing,signature,signature-input,"
                        + "authentication-info,grpc-*",
                dynamic = true,
                watch = "weir_http_trailers_dropped_total")
        List<String> trailers,

        @Knob(
                doc = "After an error that leaves the rest of a request unread, the client's connection is closed if"
                        + " more than this much is still to come; a smaller rest is read and dropped. With HTTP/2 the"
                        + " stream alone is reset, also if it is not known how much is to come."
                        + " Raise it when clients see a reset instead of an early answer. Rule of thumb: the"
                        + " default.",
                value = "64KiB",
                min = "0",
                max = "16MiB",
                dynamic = true,
                watch = "weir_http_unread_rests_total")
        ByteSize drainAfterError,

        @Knob(doc = "Bounds on what one HTTP/2 connection of a client may cost.", dynamic = true)
        Http2Config http2,

        @Knob(doc = "What is recorded of each exchange: the access log named global.")
        AccessLogConfig accessLog,

        @Knob(
                doc = "More access logs by name, each with its own format and file, for all virtual servers or some."
                        + " They can be added, removed and changed live.",
                dynamic = true)
        Map<String, AccessLogConfig> accessLogs) {

    static final String AUTO = "auto";

    /**
     * The name to use in Via and Cache-Status.
     *
     * @param instance used if the configuration has none
     */
    public String pseudonym(String instance) {
        return viaPseudonym.equals(AUTO) ? instance : viaPseudonym;
    }
}
