package io.weir.server.config.sun;

import static io.weir.server.config.sun.InitFunction.Kind.NOTED;
import static io.weir.server.config.sun.InitFunction.Kind.REFUSED;
import static io.weir.server.config.sun.InitFunction.Kind.SETTINGS;
import static io.weir.server.config.sun.InitFunction.Kind.SPECIAL;
import static io.weir.server.config.sun.InitFunction.Kind.SWITCHED;
import static io.weir.server.config.sun.Quantity.BYTES;
import static io.weir.server.config.sun.Quantity.COUNT;
import static io.weir.server.config.sun.Quantity.COUNT_OR_ALL;
import static io.weir.server.config.sun.Quantity.MINUTES;
import static io.weir.server.config.sun.Quantity.SECONDS;
import static io.weir.server.config.sun.Quantity.SWITCH;
import static io.weir.server.config.sun.Quantity.TEXT;
import static io.weir.server.config.sun.Setting.either;
import static io.weir.server.config.sun.Setting.flag;
import static io.weir.server.config.sun.Setting.number;
import static io.weir.server.config.sun.Setting.special;
import static io.weir.server.config.sun.Setting.text;

import io.weir.proxy.program.objconf.InitLines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The functions of Init lines. Stateless. */
final class InitFunctions {
    private static final long HUGE = Integer.MAX_VALUE;

    /** Most lines of one function: as many pools there may be. */
    private static final int MAX_LINES = 1_000;

    /** Most parameters of all lines: each is a setting of the layer, which is copied for every one. */
    private static final int MAX_PARAMETERS = 10_000;

    private static final String REVERSE = "clients' addresses are not resolved to names";
    private static final String WRITER = "each log has one buffer for each muxer (proxy.access-log.buffer-size)";
    private static final String JUNCTIONS =
            "mapping of URLs by junctions does not exist here: write NameTrans" + " directives";
    private static final String ARRAYS = "arrays of proxies come with a later version";

    private static final List<InitFunction> POOLS = List.of(
            of(
                    "thread-pool-init",
                    "",
                    special("name", "", "work-managers.<name>"),
                    number("maxthreads", COUNT, 1, HUGE, "work-managers.<name>.max-threads"),
                    number("minthreads", COUNT, 0, HUGE, "work-managers.<name>.min-threads"),
                    number("queueSize", COUNT_OR_ALL, 0, HUGE, "work-managers.<name>.queue-capacity")
                            .and("0 is without bound"),
                    number("stackSize", BYTES, 0, HUGE, "work-managers.<name>.stack-size")),
            of(
                    "define-perf-bucket",
                    "",
                    special("name", "", "proxy.buckets.<name>"),
                    text("description", "proxy.buckets.<name>.description")),
            of("perf-init", "", either("disable", "off", "on", "proxy.profiling")),
            new InitFunction(
                    "stats-init",
                    SPECIAL,
                    List.of(
                            noted("update-interval", SECONDS, "figures are current whenever they are read"),
                            noted("virtual-servers", COUNT, "each virtual server has its figures"),
                            flag("profiling", "proxy.profiling")),
                    "sets server.statistics: on"),
            new InitFunction(
                    "load-modules",
                    SPECIAL,
                    List.of(
                            special("shlib", "a jar", "proxy.function-jars"),
                            special("funcs", "functions, for pool and NativeThread"),
                            special("pool", "their work manager", "proxy.function-work-managers"),
                            special(
                                    "NativeThread",
                                    "yes: their work manager is NativePool",
                                    "proxy.function-work-managers")),
                    "a library that is no jar is refused, unless all its functions are among Weir's own"),
            noted("pool-init", "memory is managed by Java and by Netty's pools"));

    private static final List<InitFunction> NAMES = List.of(
            of(
                    "host-dns-cache-init",
                    "",
                    number("cache-size", COUNT, 0, HUGE, "proxy.dns.entries"),
                    number("expire", SECONDS, 0, HUGE, "proxy.dns.expire"),
                    either("negative-dns-cache", "", "0s", "proxy.dns.negative"),
                    noted("hash-size", COUNT, "the table grows with its entries"),
                    either("disable", "off", "on", "proxy.dns.cache")),
            noted("ip-dns-cache-init", REVERSE),
            noted("dns-cache-init", REVERSE));

    private static final List<InitFunction> ORIGINS = List.of(
            of(
                    "init-proxy",
                    "",
                    number("timeout", SECONDS, 0, HUGE, "proxy.time-outs.tunnel-idle"),
                    number("timeout-2", SECONDS, 0, HUGE, "proxy.time-outs.after-client-abort"),
                    noted("pool-size", COUNT, "memory is managed by Java and by Netty's pools")),
            of(
                    "http-client-config",
                    "",
                    either("keep-alive", "", "0", "proxy.origin-pool.max-idle"),
                    number("keep-alive-timeout", SECONDS, 0, HUGE, "proxy.origin-pool.idle-time-out"),
                    noted(
                            "always-use-keep-alive",
                            SWITCH,
                            "a request that cannot be repeated uses an idle" + " connection, too"),
                    noted("protocol", TEXT, "origins are asked with HTTP/1.1 or HTTP/2, and may answer with HTTP/1.0"),
                    noted("proxy-agent", TEXT, "Via names this proxy (proxy.via-pseudonym)"),
                    number("timeout", SECONDS, 0, HUGE, "proxy.time-outs.response-header", "proxy.time-outs.body-idle"),
                    number("connect-timeout", SECONDS, 0, HUGE, "proxy.time-outs.connect"),
                    noted("transmit-timeout", SECONDS, "timeout also bounds how long an origin may take to read"),
                    noted("parse-timeout", SECONDS, "timeout bounds the answer's head"),
                    noted("poll-interval", SECONDS, "a client that leaves is noticed at once"),
                    number("retries", COUNT, 0, 100, "proxy.retries"),
                    noted("reformat-request-headers", SWITCH, "fields are always written anew"),
                    noted("tunnel-non-http-response", SWITCH, "an answer that is not HTTP is refused with 502"),
                    noted("always-allow-chunked", SWITCH, "bodies of unknown length are always sent in chunks"),
                    noted("via", SWITCH, "Via is always written: loops are detected by it"),
                    noted("cache-info", SWITCH, "Cache-Status (RFC 9211) says what the cache did")),
            of("tune-cache", "", noted("byte-ranges", SWITCH, "ranges are always answered from stored objects")),
            of("tune-proxy", "", noted("ftp-listing-width", COUNT, "FTP is not spoken")),
            new InitFunction(
                    "register-http-method",
                    NOTED,
                    List.of(noted("methods", TEXT, "")),
                    "every method that is a token is accepted; method= of directives selects"),
            new InitFunction(
                    "suppress-request-headers",
                    REFUSED,
                    List.of(),
                    "write ObjectType fn=\"suppress-request-headers\" hdr=NAME in the object default"),
            new InitFunction("icp-init", SWITCHED, List.of(), "ICP comes with a later version"),
            new InitFunction("pa-init-proxy-array", SWITCHED, List.of(), ARRAYS),
            new InitFunction("pa-init-parent-array", SWITCHED, List.of(), ARRAYS));

    private static final List<InitFunction> FILES = List.of(
            new InitFunction(
                    "flex-init",
                    SPECIAL,
                    List.of(
                            special("<log>", "its file; global is proxy.access-log", "proxy.access-logs.<log>.file"),
                            special(
                                    "format.<log>",
                                    "without it, common",
                                    "proxy.access-logs.<log>.format",
                                    "proxy.access-logs.<log>.custom"),
                            special("relaxed.<log>", "no effect: a format never needs it"),
                            number("buffer-size", BYTES, 0, HUGE, "proxy.access-logs.<log>.buffer-size"),
                            noted("num-buffers", COUNT, WRITER),
                            noted("buffers-per-file", COUNT, WRITER)),
                    ""),
            new InitFunction(
                    "init-clf",
                    SPECIAL,
                    List.of(special("<log>", "its file, in format common", "proxy.access-logs.<log>.file")),
                    ""),
            new InitFunction(
                    "flex-rotate-init",
                    SPECIAL,
                    List.of(
                            special(
                                    "rotate-start",
                                    "HHMM; intervals count from midnight: another start is noted",
                                    "proxy.access-log.rotate-interval"),
                            number(
                                    "rotate-interval",
                                    MINUTES,
                                    1,
                                    527_040,
                                    "proxy.access-log.rotate-interval",
                                    "proxy.access-logs.*.rotate-interval"),
                            noted("rotate-access", SWITCH, "without rotate-interval no access log is rotated"),
                            noted(
                                    "rotate-error",
                                    SWITCH,
                                    "the server log is rotated by its size (server.log.rotate-size)"),
                            noted(
                                    "rotate-callback",
                                    TEXT,
                                    "no program runs after a rotation; proxy.access-log.compress" + " compresses")),
                    ""),
            new InitFunction(
                    "init-url-filter",
                    SPECIAL,
                    List.of(special("<filter>", "its file", "proxy.url-filters.<filter>")),
                    ""),
            new InitFunction(
                    "load-types",
                    SPECIAL,
                    List.of(
                            special("mime-types", "a file of types", "proxy.mime-types"),
                            special("local-types", "a file of types that go before", "proxy.mime-types")),
                    ""),
            new InitFunction("init-filter-order", REFUSED, List.of(), "content filters come with a later version"));

    private static final List<InitFunction> OTHERS = List.of(
            new InitFunction("um-define-junction", REFUSED, List.of(), JUNCTIONS),
            new InitFunction("um-init", REFUSED, List.of(), JUNCTIONS),
            new InitFunction("um-load-parser-config", REFUSED, List.of(), JUNCTIONS),
            new InitFunction("init-j2ee", REFUSED, List.of(), "web applications are not served"),
            noted("init-uhome", "users' home pages are not served; unix-home is refused where it stands"),
            noted("cindex-init", "listings of folders are not served"),
            noted("init-cgi", "CGI programs are not run; directives with them are refused where they stand"),
            noted("nt-console-init", "it is for Windows; server.log.stdout-level says what is printed"));

    private static final List<InitFunction> ALL = List.of(POOLS, NAMES, ORIGINS, FILES, OTHERS).stream()
            .flatMap(List::stream)
            .toList();
    private static final Map<String, InitFunction> BY_NAME =
            ALL.stream().collect(Collectors.toMap(InitFunction::name, Function.identity()));

    private InitFunctions() {}

    private static InitFunction of(String name, String remark, Setting... settings) {
        return new InitFunction(name, SETTINGS, List.of(settings), remark);
    }

    private static InitFunction noted(String name, String reason) {
        return new InitFunction(name, NOTED, List.of(), reason);
    }

    private static Setting noted(String name, Quantity quantity, String reason) {
        return Setting.noted(name, quantity, reason);
    }

    /** All, in the order of the document. */
    static List<InitFunction> all() {
        return ALL;
    }

    /** The parameters of a function. */
    static List<Setting> settings(String function) {
        InitFunction found = BY_NAME.get(function);
        return found == null ? List.of() : found.settings();
    }

    /** Applies the lines, in their order; those beyond the bounds are reported, and none after them is applied. */
    static void apply(List<InitLines.Line> lines, Layer layer) {
        Map<String, Integer> counts = new HashMap<>();
        int parameters = 0;
        for (InitLines.Line line : lines) {
            parameters += line.parameters().size();
            if (counts.merge(line.function(), 1, Integer::sum) > MAX_LINES || parameters > MAX_PARAMETERS) {
                layer.problem(
                        line.at(),
                        parameters > MAX_PARAMETERS
                                ? "the Init lines have more than " + MAX_PARAMETERS + " parameters, the most allowed"
                                : "there are more than " + MAX_LINES + " Init lines with " + line.function()
                                        + ", the most allowed");
                return;
            }
            InitFunction function = BY_NAME.get(line.function());
            if (function == null) {
                layer.problem(
                        line.at(),
                        "unknown Init function \"" + line.function() + "\""
                                + Setting.nearest(line.function(), BY_NAME.keySet()));
            } else {
                function.apply(line, layer);
            }
        }
    }
}
