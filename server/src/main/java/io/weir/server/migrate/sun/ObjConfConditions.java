package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.objconf.WrittenCondition;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.server.migrate.draft.RouteDraft;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions of {@code obj.conf} say of requests of a kind. Stateless but for the names of virtual servers.
 *
 */
final class ObjConfConditions {
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]+(\\.[a-z0-9_-]+)*");
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    private static final Pattern URL = Pattern.compile("([a-z]+)://([^/]*)(/.*)?");
    private static final Pattern PORTS = Pattern.compile("\\(([0-9]{1,5}(?:\\|[0-9]{1,5})*)\\)|([0-9]{1,5})");
    private static final Pattern ANY_HOST = Pattern.compile("\\[\\^/]\\*|\\.\\*|\\*");
    private static final Set<String> PATHS = Set.of("path", "ppath", "uri");

    /** The virtual servers of the translation. */
    private final Set<String> servers;

    /** The variables of the configuration. */
    private final Map<String, String> variables;

    ObjConfConditions(Set<String> servers, Map<String, String> variables) {
        this.servers = Set.copyOf(servers);
        this.variables = Map.copyOf(variables);
    }

    /**
     * Whether the condition holds for all requests of the kind.
     *
     * @param mapped what {@code $path} means; null: the request's own path
     */
    Holds holds(WrittenCondition condition, RequestKind kind, @Nullable Mapped mapped) {
        return switch (condition) {
            case WrittenCondition.Not not -> holds(not.of(), kind, mapped).not();
            case WrittenCondition.All all -> {
                Holds every = Holds.YES;
                for (WrittenCondition c : all.of()) {
                    every = every == Holds.NO ? every : every.and(holds(c, kind, mapped));
                }
                yield every;
            }
            case WrittenCondition.Any any -> {
                Holds one = Holds.NO;
                for (WrittenCondition c : any.of()) {
                    one = one == Holds.YES ? one : one.or(holds(c, kind, mapped));
                }
                yield one;
            }
            case WrittenCondition.Test test -> holds(test, kind, mapped);
            case WrittenCondition.Other _ -> Holds.MAYBE;
        };
    }

    private Holds holds(WrittenCondition.Test test, RequestKind kind, @Nullable Mapped mapped) {
        if (PATHS.contains(test.variable())) {
            return mapped != null && !test.variable().equals("uri")
                    ? kind.isTunnel() ? Holds.MAYBE : mapped.holds(test, kind)
                    : path(test.by(), test.pattern(), kind);
        }
        String value = variables.get(test.variable());
        if (value != null) {
            return constant(test, value);
        }
        List<String> words = words(test);
        if (words == null) {
            return Holds.MAYBE;
        }
        if (words.contains("*")) {
            return Holds.YES;
        }
        return switch (test.variable()) {
            case "method" -> words.stream().allMatch(m -> m.matches("[A-Z]+")) ? kind.isMethod(words) : Holds.MAYBE;
            case "urlhost" -> {
                List<String> hosts = hosts(test);
                yield hosts == null ? Holds.MAYBE : any(hosts.stream().map(kind::isHost));
            }
            case "id" -> server(words, kind);
            default -> Holds.MAYBE;
        };
    }

    private static Holds constant(WrittenCondition.Test test, String value) {
        return switch (test.by()) {
            case TEXT -> Holds.of(test.pattern().equals(value));
            case WILDCARD -> Holds.of(Patterns.matches(Patterns.parse(PathMatch.WILDCARD, test.pattern()), value));
            case REGEX -> Holds.MAYBE;
        };
    }

    private static Holds any(Stream<Holds> of) {
        return of.reduce(Holds.NO, Holds::or);
    }

    private Holds server(List<String> words, RequestKind kind) {
        if (words.stream().anyMatch(w -> !w.matches("[A-Za-z0-9_-]+"))) {
            return Holds.MAYBE;
        }
        if (kind.isTunnel() && !servers.isEmpty()) {
            return Holds.MAYBE;
        }
        boolean unnamed = kind.server().isEmpty() && !servers.isEmpty() && words.contains(VirtualServer.DEFAULT_NAME);
        String name = kind.server().isEmpty() ? VirtualServer.DEFAULT_NAME : kind.server();
        return unnamed ? Holds.MAYBE : Holds.of(words.contains(name));
    }

    /** Whether the path matches. */
    static Holds path(WrittenCondition.By by, String pattern, RequestKind kind) {
        return switch (by) {
            case TEXT -> path(PathPatterns.same(pattern), kind);
            case WILDCARD -> wildcard(pattern, kind);
            case REGEX -> {
                List<PathTest> found = PathPatterns.found(pattern);
                yield found == null ? Holds.MAYBE : any(found.stream().map(kind::isPath));
            }
        };
    }

    private static Holds path(@Nullable PathTest test, RequestKind kind) {
        return test == null ? Holds.MAYBE : kind.isPath(test);
    }

    /** A shell expression; what follows a tilde is excepted. */
    static Holds wildcard(String pattern, RequestKind kind) {
        int tilde = pattern.indexOf('~');
        if (tilde < 0 || pattern.indexOf('\\') >= 0) {
            return kind.matches(pattern);
        }
        Holds all = wildcard(pattern.substring(0, tilde), kind);
        return all == Holds.NO
                ? all
                : all.and(wildcard(pattern.substring(tilde + 1), kind).not());
    }

    /** The texts that a test of a variable without a slash means; null: they are not some texts. */
    static @Nullable List<String> words(WrittenCondition.Test test) {
        String t = test.pattern();
        if (test.by() == WrittenCondition.By.TEXT) {
            return t.equals("*") ? null : List.of(t);
        }
        boolean whole = test.by() == WrittenCondition.By.WILDCARD || (t.startsWith("^") && t.endsWith("$"));
        if (!whole) {
            return null;
        }
        String bare = test.by() == WrittenCondition.By.WILDCARD ? t : t.substring(1, t.length() - 1);
        boolean group = bare.startsWith("(") && bare.indexOf(')') == bare.length() - 1;
        boolean bars = bare.indexOf('|') >= 0;
        if (bars && !group) {
            return null;
        }
        List<String> all = List.of((group ? bare.substring(1, bare.length() - 1) : bare).split("\\|", -1));
        boolean regex = test.by() == WrittenCondition.By.REGEX;
        List<String> texts =
                regex ? all.stream().map(w -> w.replace("\\.", "\u0000")).toList() : all;
        String special = regex ? ".*[.*+?()\\[\\]{}^$\\\\].*" : ".*[?()\\[\\]~\\\\].*";
        return texts.stream().anyMatch(w -> w.matches(special))
                ? null
                : texts.stream().map(w -> w.replace('\u0000', '.')).toList();
    }

    /** The hosts of a test of {@code $urlhost}, as routes name them; null: routes do not. */
    static @Nullable List<String> hosts(WrittenCondition.Test test) {
        List<String> words = words(test);
        return words == null || !words.stream().allMatch(ObjConfConditions::isHost) ? null : words;
    }

    /** Whether a URL in NameTrans is that of the requests, whatever scheme and port they have. */
    static Holds url(String from, RequestKind kind) {
        Ppath url = ppath(from);
        if (url == null || !NAME.matcher(url.host()).matches()) {
            return Holds.MAYBE;
        }
        if (kind.isTunnel()) {
            String port = url.port() != null ? url.port() : url.scheme().equals("https") ? "443" : "80";
            return kind.port() != null && !port.equals(kind.port()) ? Holds.NO : Holds.MAYBE;
        }
        Holds host = kind.isHost(url.host());
        return host == Holds.NO
                ? host
                : host.and(path(PathPatterns.prefix(url.path().isEmpty() ? "/" : url.path()), kind));
    }

    /** Whether a path or URL in NameTrans is that of the requests. */
    static Holds prefix(String from, RequestKind kind) {
        if (kind.isTunnel() && from.equals("/")) {
            return Holds.YES;
        }
        return from.startsWith("/") ? path(PathPatterns.prefix(from), kind) : url(from, kind);
    }

    /** Whether an object with that ppath applies to the requests. */
    static Holds selected(String ppath, RequestKind kind) {
        if (ppath.startsWith("/") || ppath.startsWith("*")) {
            return wildcard(ppath, kind);
        }
        Ppath p = ppath(ppath);
        if (kind.isTunnel()) {
            return tunnel(ppath, p, kind);
        }
        String host = p == null ? null : p.everyHost() ? "*" : hostOf(p);
        boolean forwarded = p != null && Set.of("http", "https").contains(p.scheme());
        if (p == null || host == null || !forwarded) {
            return p != null && p.scheme().equals("connect") ? Holds.NO : Holds.MAYBE;
        }
        Holds is = host.equals("*") ? Holds.YES : kind.isHost(host);
        if (is == Holds.NO || p.everyPath()) {
            return is;
        }
        boolean pattern = RouteDraft.isPath(PathMatch.REGEX, p.path());
        return is.and(pattern ? kind.isPath(PathTest.of(PathMatch.REGEX, p.path())) : Holds.MAYBE);
    }

    private static Holds tunnel(String ppath, @Nullable Ppath p, RequestKind kind) {
        if (p == null || !p.scheme().equals("connect")) {
            return p == null && !ppath.startsWith("http:") ? Holds.MAYBE : Holds.NO;
        }
        Set<String> ports = p.ports();
        Holds port = p.everyPort()
                ? Holds.YES
                : ports == null ? Holds.MAYBE : Holds.of(kind.port() != null && ports.contains(kind.port()));
        boolean every = p.path().isEmpty() && Set.of("[^/]*", ".*").contains(p.host());
        return port.and(every ? Holds.YES : Holds.MAYBE);
    }

    /** Whether it is a host as routes name it. */
    static boolean isHost(String host) {
        return NAME.matcher(host.startsWith("*.") ? host.substring(2) : host).matches();
    }

    /** The host of a ppath as routes name it; null: they do not. */
    static @Nullable String hostOf(Ppath p) {
        String name = p.host().replace("\\.", ".");
        // an unescaped dot is meant as one
        String host = name.startsWith(".*.") ? name.substring(1) : name;
        return HOST.matcher(host).matches() ? host.toLowerCase(Locale.ROOT) : null;
    }

    /**
     * What NameTrans made of the path: one prefix for another, both without a slash at the end.
     *
     */
    record Mapped(String from, String to) {
        /** Null: the path is the same. */
        static @Nullable Mapped of(String from, String to) {
            Mapped m = new Mapped(LiteralPath.withoutSlash(LiteralPath.of(from)), LiteralPath.withoutSlash(to));
            return m.from.equals(m.to) ? null : m;
        }

        /** A test of the new path as one of the request's own. */
        private Holds holds(WrittenCondition.Test test, RequestKind kind) {
            PathTest of = switch (test.by()) {
                case TEXT -> PathPatterns.same(test.pattern());
                case WILDCARD -> PathPatterns.wildcard(test.pattern());
                case REGEX -> null;
            };
            if (of == null || of.equals(PathTest.ALL)) {
                return of == null ? Holds.MAYBE : Holds.YES;
            }
            String below = to + "/";
            if (of.head().startsWith(below) && of.text().startsWith(below)) {
                return kind.isPath(PathTest.of(of.match(), from + of.text().substring(to.length())));
            }
            boolean may = below.startsWith(of.head()) || of.head().startsWith(to);
            return may ? Holds.MAYBE : Holds.NO;
        }
    }

    /** What a ppath selects. */
    record Ppath(String scheme, String host, @Nullable String port, String path) {
        boolean everyHost() {
            return ANY_HOST.matcher(host).matches() || host.isEmpty();
        }

        /** Whether a tunnel may have any port. */
        boolean everyPort() {
            return port == null || port.equals(".*") || port.equals("*") || port.equals("[0-9]+");
        }

        /** The ports of tunnels; null: they are not some numbers. */
        @Nullable
        Set<String> ports() {
            Matcher m = port == null ? null : PORTS.matcher(port);
            return m == null || !m.matches()
                    ? null
                    : new LinkedHashSet<>(List.of((m.group(1) == null ? m.group(2) : m.group(1)).split("\\|", -1)));
        }

        boolean everyPath() {
            return path.isEmpty() || path.equals("/.*") || path.equals("/*") || path.equals(".*");
        }
    }

    /** The parts of a ppath over a URL; null: it is none. */
    static @Nullable Ppath ppath(String text) {
        String t = text.startsWith("^") ? text.substring(1) : text;
        Matcher m = URL.matcher(t.endsWith("$") ? t.substring(0, t.length() - 1) : t);
        if (!m.matches()) {
            return null;
        }
        String host = m.group(2);
        int colon = host.lastIndexOf(':');
        String rest = m.group(3) == null ? "" : m.group(3);
        String port = colon < 0 ? null : host.substring(colon + 1);
        return new Ppath(m.group(1), colon < 0 ? host : host.substring(0, colon), port, rest);
    }
}
