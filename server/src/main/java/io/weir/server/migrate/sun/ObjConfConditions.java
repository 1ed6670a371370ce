package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.objconf.ObjConfReader;
import io.weir.server.migrate.draft.RouteDraft;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The blocks around directives of {@code obj.conf} as matches of routes. Stateless.
 *
 */
final class ObjConfConditions {
    /** Patterns of Client over the request's path. */
    private static final Set<String> PATHS = Set.of("path", "uri", "ppath");

    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    private static final Pattern URL = Pattern.compile("([a-z]+)://([^/]*)(/.*)?");
    private static final Pattern ANY_HOST = Pattern.compile("\\[\\^/]\\*|\\.\\*|\\*");

    private ObjConfConditions() {}

    /** What the blocks select, within a match; null: no match of a route says it. */
    static RouteDraft.@Nullable When within(RouteDraft.When outer, List<ObjConfReader.Around> blocks) {
        RouteDraft.When when = outer;
        for (ObjConfReader.Around block : blocks) {
            List<ObjConfReader.Value> patterns = block.patterns();
            if (patterns == null) {
                return null;
            }
            for (ObjConfReader.Value p : patterns) {
                when = when == null || p.value() == null ? null : narrowed(when, p.name(), p.value(), patterns.size());
            }
            if (when == null) {
                return null;
            }
        }
        return when;
    }

    private static RouteDraft.@Nullable When narrowed(RouteDraft.When when, String name, String value, int patterns) {
        if (name.equals("match")) {
            return value.equals("all") || (value.equals("any") && patterns <= 2) ? when : null;
        }
        if (value.indexOf('~') >= 0) {
            return null;
        }
        if (PATHS.contains(name) && when.path().equals("/") && RouteDraft.isPattern(PathMatch.WILDCARD, value)) {
            return path(when, value);
        }
        List<String> alternatives = alternatives(value);
        if (name.equals("urlhost")
                && when.hosts().isEmpty()
                && alternatives.stream().allMatch(h -> HOST.matcher(h).matches())) {
            return when.hosts(alternatives);
        }
        if (name.equals("method")
                && when.methods().isEmpty()
                && alternatives.stream().allMatch(m -> m.matches("[A-Z]+"))) {
            return when.methods(alternatives);
        }
        return null;
    }

    private static List<String> alternatives(String value) {
        boolean group = value.startsWith("(") && value.indexOf(')') == value.length() - 1;
        return group ? Arrays.asList(value.substring(1, value.length() - 1).split("\\|", -1)) : List.of(value);
    }

    /** A shell expression as the most specific match that says the same. */
    static RouteDraft.When path(RouteDraft.When when, String wildcard) {
        boolean plain = wildcard.matches("/[A-Za-z0-9/_.%-]*");
        Matcher tree = Pattern.compile("(/[A-Za-z0-9/_.%-]*/)\\*").matcher(wildcard);
        if (plain) {
            return when.path(PathMatch.EXACT, wildcard);
        }
        if (wildcard.equals("/*") || wildcard.equals("*")) {
            return when.path(PathMatch.PREFIX, "/");
        }
        return tree.matches() ? when.path(PathMatch.PREFIX, tree.group(1)) : when.path(PathMatch.WILDCARD, wildcard);
    }

    /** What a ppath selects. */
    record Ppath(String scheme, String host, @Nullable String port, String path) {
        boolean everyHost() {
            return ANY_HOST.matcher(host).matches() || host.isEmpty();
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

    /** The match of a ppath for forwarded requests; null: no match of a route says it. */
    static RouteDraft.@Nullable When forwarded(Ppath p) {
        RouteDraft.When when = RouteDraft.When.ALWAYS;
        String name = p.host().replace("\\.", ".");
        if (!p.everyHost()) {
            if (name.startsWith(".*.")) {
                name = name.substring(1);
            }
            // an unescaped dot is meant as one
            if (!HOST.matcher(name).matches()) {
                return null;
            }
            when = when.hosts(List.of(name));
        }
        if (p.everyPath()) {
            return when;
        }
        return RouteDraft.isPattern(PathMatch.REGEX, p.path()) ? when.path(PathMatch.REGEX, p.path()) : null;
    }
}
