package io.weir.server.config.sun;

import static io.weir.server.config.sun.Quantity.BYTES;
import static io.weir.server.config.sun.Quantity.COUNT;
import static io.weir.server.config.sun.Quantity.COUNT_OR_ALL;
import static io.weir.server.config.sun.Quantity.SECONDS;
import static io.weir.server.config.sun.Quantity.SWITCH;
import static io.weir.server.config.sun.Quantity.TEXT;
import static io.weir.server.config.sun.Setting.flag;
import static io.weir.server.config.sun.Setting.noted;
import static io.weir.server.config.sun.Setting.number;
import static io.weir.server.config.sun.Setting.special;
import static io.weir.server.config.sun.Setting.text;
import static io.weir.server.config.sun.Setting.words;

import java.util.List;
import java.util.Map;

/** Elements of Web Server 7.0's {@code server.xml}, which the tuning guide names beside the Proxy Server's. Stateless. */
final class Xml7Rows {
    private static final long HUGE = XmlRows.HUGE;
    private static final String PROCESS = "the start script and the service manager decide it";
    private static final String APPLICATIONS = "web applications are not served";
    private static final String RESOURCES = "it is for web applications, which are not served";
    private static final String SEARCH = "collections of documents are not searched; requests are passed on";
    private static final String DAV = "collections of WebDAV are not served; its methods are passed on to the origin";
    private static final String AUDIT =
            "an audit log is not written: access logs have users and statuses (docs/access-logs.md)";
    private static final String CRL = "must be given as client-crl in weir.yaml for each listener that asks clients for"
            + " certificates: without it revoked ones would pass";
    private static final String WRITER = "each log has one buffer for each muxer (proxy.access-log.buffer-size)";

    private static final List<XmlRow> SERVER = List.of(
            XmlRow.of(
                    "server",
                    special("acl-file", "as ACLFILE", "proxy.objects"),
                    special("mime-file", "a file of types", "proxy.mime-types"),
                    noted("temp-path", TEXT, PROCESS),
                    noted("pid-file", TEXT, PROCESS),
                    noted("user", TEXT, PROCESS),
                    noted("platform", TEXT, PROCESS),
                    noted("default-auth-db-name", TEXT, XmlRows.USERS),
                    noted("default-auth-realm-name", TEXT, XmlRows.USERS),
                    noted("default-soap-auth-provider-name", TEXT, RESOURCES),
                    special("crl-path", CRL, "listeners.*.tls.client-crl")),
            XmlRow.of(
                    "variable",
                    special("name", "as PROPERTY", "proxy.variables"),
                    special("value", "", "proxy.variables")),
            XmlRow.of(
                    "log",
                    text("log-file", "server.log.file"),
                    words("log-level", XmlRows.LEVELS, "server.log.level"),
                    special("log-to-console", "on: as much as in the file", "server.log.stdout-level"),
                    noted("log-stdout", SWITCH, "functions write messages with their own logger"),
                    noted("log-stderr", SWITCH, "functions write messages with their own logger"),
                    noted("log-virtual-server-name", SWITCH, "messages name the virtual server where it matters"),
                    noted("create-console", SWITCH, "it is for Windows"),
                    noted("log-to-syslog", SWITCH, "the service manager takes what is printed"),
                    noted("date-format", TEXT, "the server log has one format (docs/messages.md)")),
            XmlRow.of(
                    "access-log",
                    text("file", "proxy.access-log.file"),
                    special("name", "the default log is proxy.access-log; others are refused: use flex-init"),
                    special("enabled", "on: in format common", "proxy.access-log.format"),
                    special("format", "", "proxy.access-log.format", "proxy.access-log.custom")),
            XmlRow.of(
                    "access-log-buffer",
                    noted("enabled", SWITCH, "it is always on"),
                    number("buffer-size", BYTES, 0, HUGE, "proxy.access-log.buffer-size"),
                    number("max-age", SECONDS, 0, HUGE, "proxy.access-log.flush-interval"),
                    noted("max-buffers", COUNT, WRITER),
                    noted("max-buffers-per-file", COUNT, WRITER),
                    noted("direct-io", SWITCH, WRITER)),
            XmlRow.of(
                    "stats",
                    flag("enabled", "server.statistics"),
                    flag("profiling", "proxy.profiling"),
                    noted("interval", TEXT, "figures are current whenever they are read")),
            XmlRow.noted("event", XmlRows.SCHEDULER),
            XmlRow.noted("jvm", "./weir starts one Java for all: WEIR_JAVA_OPTS sets its options"),
            XmlRow.noted("auth-db", XmlRows.USERS),
            XmlRow.noted("auth-realm", XmlRows.USERS),
            XmlRow.of(
                    "pkcs11",
                    noted("enabled", SWITCH, XmlRows.NSS),
                    noted("allow-bypass", SWITCH, XmlRows.NSS),
                    special("crl-path", CRL, "listeners.*.tls.client-crl")),
            XmlRow.noted("token", XmlRows.NSS),
            XmlRow.of(
                    "ssl-session-cache",
                    noted("enabled", SWITCH, "sessions are always kept"),
                    number("max-entries", COUNT, 1, HUGE, "listeners.*.tls.session-cache"),
                    number("max-ssl3-tls-session-age", SECONDS, 5, 86_400, "listeners.*.tls.session-time-out"),
                    noted("max-ssl2-session-age", SECONDS, XmlRows.OBSOLETE)),
            XmlRow.noted(
                    "cluster",
                    "it lists the instances that the administration server keeps alike; docs/cluster.md describes"
                            + " Weir's own clusters"),
            XmlRow.noted("instance", "it is a member of the administration server's cluster"),
            XmlRow.noted("audit-log", AUDIT),
            XmlRow.noted("audit-log-buffer", AUDIT),
            XmlRow.noted("snmp", "figures are not read by SNMP: docs/monitoring.md"),
            XmlRow.noted("localization", "answers are the origin's, and error pages are in English"),
            XmlRow.noted(
                    "cgi", "CGI programs are not run; directives with them are refused where they stand in obj.conf"),
            XmlRow.noted("dav", DAV),
            XmlRow.noted("dav-collection", DAV),
            XmlRow.noted("search-app", SEARCH),
            XmlRow.noted("search-collection", SEARCH),
            XmlRow.noted("servlet-container", APPLICATIONS),
            XmlRow.noted("session-replication", RESOURCES),
            XmlRow.noted("single-sign-on", RESOURCES),
            XmlRow.noted("lifecycle-module", RESOURCES),
            XmlRow.noted("soap-auth-provider", RESOURCES),
            XmlRow.noted("custom-resource", RESOURCES),
            XmlRow.noted("external-jndi-resource", RESOURCES),
            XmlRow.noted("jdbc-resource", RESOURCES),
            XmlRow.noted("mail-resource", RESOURCES),
            XmlRow.noted("resource-adapter", RESOURCES),
            XmlRow.noted("acl-cache", "files of access control lists come with a later version"));

    private static final List<XmlRow> WORK = List.of(
            XmlRow.of(
                    "thread-pool",
                    noted("enabled", SWITCH, "it is always on"),
                    number("min-threads", COUNT, 1, 4096, "work-managers.default.min-threads"),
                    number(
                            "max-threads",
                            COUNT,
                            1,
                            4096,
                            "kernel.request-throttle",
                            "work-managers.default.max-threads"),
                    number("queue-size", COUNT, 1, 1_048_576, "kernel.connection-queue.capacity"),
                    number("stack-size", BYTES, 0, 268_435_456, "work-managers.default.stack-size")),
            XmlRow.of(
                    "keep-alive",
                    special("enabled", "off: no connection is kept", "kernel.keep-alive.timeout"),
                    number("threads", COUNT, 1, 256).and("muxers wait for idle connections (kernel.socket-readers)"),
                    number("max-connections", COUNT, 1, 1_048_576, "kernel.keep-alive.max-connections"),
                    number("timeout", SECONDS, 0, 3600, "kernel.keep-alive.timeout"),
                    noted("poll-interval", TEXT, "a muxer waits for all its connections at once")),
            XmlRow.of(
                    "http",
                    number(
                            "request-header-buffer-size",
                            BYTES,
                            512,
                            HUGE,
                            "proxy.limits.request-line",
                            "proxy.limits.request-head"),
                    number("max-request-headers", COUNT, 1, 512, "proxy.limits.request-headers"),
                    number(
                            "request-header-timeout",
                            SECONDS,
                            1,
                            3600,
                            "kernel.accept-time-out",
                            "kernel.time-outs.header"),
                    number("io-timeout", SECONDS, 1, 3600, "kernel.time-outs.write"),
                    special("request-body-timeout", "-1 is the default", "kernel.time-outs.body"),
                    noted("output-buffer-size", BYTES, "answers are written as they come"),
                    noted("unchunk-timeout", SECONDS, "a body is passed on as it comes"),
                    noted("max-unchunk-size", BYTES, "a body is passed on as it comes"),
                    noted("strict-request-headers", SWITCH, "fields that contradict each other are always refused"),
                    noted("server-header", TEXT, "answers are the origin's"),
                    noted("etag", SWITCH, "answers are the origin's"),
                    noted("ecid", SWITCH, "%Req->vars.request-id% is the id of a request")),
            XmlRow.of(
                    "dns",
                    noted("enabled", SWITCH, "clients' addresses are not resolved to names"),
                    noted("async", SWITCH, "names are always resolved without a waiting thread"),
                    number("timeout", SECONDS, 1, HUGE, "proxy.time-outs.dns")),
            XmlRow.of(
                    "dns-cache",
                    flag("enabled", "proxy.dns.cache"),
                    number("max-age", SECONDS, 1, HUGE, "proxy.dns.expire"),
                    number("max-entries", COUNT, 1, HUGE, "proxy.dns.entries")),
            XmlRow.of(
                    "file-cache",
                    flag("enabled", "cache.enabled"),
                    number("max-entries", COUNT_OR_ALL, 0, HUGE, "cache.max-entries"),
                    number("max-heap-file-size", BYTES, 0, HUGE, "cache.max-object-size"),
                    number("max-heap-space", BYTES, 0, Long.MAX_VALUE, "cache.memory-budget"),
                    noted("max-age", SECONDS, "an answer's own lifetime decides, and cache-setting"),
                    noted("max-open-files", COUNT, "objects are in memory"),
                    noted("max-mmap-file-size", BYTES, "objects are in memory"),
                    noted("max-mmap-space", BYTES, "objects are in memory"),
                    noted("cache-content", SWITCH, "contents are what the cache is for"),
                    noted("copy-files", SWITCH, "objects are in memory"),
                    noted("copy-path", TEXT, "objects are in memory"),
                    noted("sendfile", SWITCH, "objects are sent from memory"),
                    noted("sendfile-size", BYTES, "objects are sent from memory"),
                    noted("buffer-size", BYTES, "objects are sent from memory"),
                    noted("replacement", TEXT, "docs/memory-cache.md describes the eviction"),
                    noted("replacement-interval", TEXT, "docs/memory-cache.md describes the eviction")));

    private static final List<XmlRow> LISTENERS = List.of(
            XmlRow.of(
                    "http-listener",
                    special("name", "the listener's name", "listeners.<name>"),
                    special("ip", "without it, or *: every address", "listeners.<name>.address"),
                    number("port", COUNT, 1, 65_535, "listeners.<name>.port"),
                    special("enabled", "off: there is no such listener", "listeners.<name>"),
                    number("acceptor-threads", COUNT, 1, 128, "listeners.<name>.acceptors"),
                    number("listen-queue-size", COUNT, 1, 1_048_576, "listeners.<name>.backlog"),
                    number("receive-buffer-size", BYTES, 0, HUGE, "listeners.<name>.receive-buffer"),
                    number("send-buffer-size", BYTES, 0, HUGE, "listeners.<name>.send-buffer"),
                    text("default-virtual-server-name", "listeners.<name>.virtual-server"),
                    noted("server-name", TEXT, XmlRows.HOST),
                    noted("family", TEXT, XmlRows.FAMILY),
                    noted("blocking-io", SWITCH, XmlRows.PLAIN),
                    noted("handle-protocol-mismatch", SWITCH, "HTTP on a TLS port is refused in the handshake")),
            XmlRow.of(
                    "ssl",
                    special("enabled", "on: weir.yaml must give tls.certificates", "listeners.<name>.tls.certificates"),
                    noted("server-cert-nickname", TEXT, XmlRows.NSS),
                    noted("ssl2", SWITCH, XmlRows.OBSOLETE),
                    noted("ssl3", SWITCH, XmlRows.OBSOLETE),
                    special("tls", "off is refused: no protocol would be left", "listeners.<name>.tls.protocols"),
                    noted("tls-rollback-detection", SWITCH, "a lower version than both can speak is always noticed"),
                    words(
                                    "client-auth",
                                    Map.of("required", "need", "optional", "want", "false", "none"),
                                    "listeners.<name>.tls.client-auth")
                            .and("client-trust must be given in weir.yaml"),
                    noted("client-auth-timeout", SECONDS, "kernel.time-outs.tls-handshake bounds the handshake"),
                    noted("max-client-auth-data", BYTES, "a certificate is asked for in the handshake")),
            XmlRow.noted("ssl2-ciphers", XmlRows.OBSOLETE),
            XmlRow.noted("ssl3-tls-ciphers", XmlRows.CIPHERS),
            XmlRow.of(
                    "virtual-server",
                    special("name", "the virtual server's name", "virtual-servers.<name>"),
                    special("host", "", "virtual-servers.<name>.hosts"),
                    special("http-listener-name", "", "virtual-servers.<name>.listeners"),
                    special("enabled", "off is refused: leave the virtual server out", "virtual-servers.<name>"),
                    special("object-file", XmlRows.ONE_PROGRAM, "proxy.objects"),
                    special("default-object-name", "must be default", "proxy.objects"),
                    noted("mime-file", TEXT, "types are the same for all virtual servers"),
                    special("acl-file", "as ACLFILE", "proxy.objects"),
                    noted("document-root", TEXT, "files are served where obj.conf says so"),
                    noted("canonical-server-name", TEXT, XmlRows.HOST),
                    noted("log-file", TEXT, "the server log is one file"),
                    noted("default-auth-db-name", TEXT, XmlRows.USERS),
                    noted("default-soap-auth-provider-name", TEXT, RESOURCES)),
            XmlRow.of(
                    "qos-limits",
                    noted("enabled", SWITCH, "a limit that is set holds"),
                    number("max-bps", BYTES, 0, HUGE, "virtual-servers.<name>.limits.bandwidth"),
                    number("max-connections", COUNT, 0, HUGE, "virtual-servers.<name>.limits.connections")),
            XmlRow.refused("web-app", APPLICATIONS));

    private Xml7Rows() {}

    /** All, in the order of the document. */
    static List<XmlRow> all() {
        return List.of(SERVER, WORK, LISTENERS).stream().flatMap(List::stream).toList();
    }
}
