package io.weir.server.migrate.draft;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RuleCondition;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A route of the translation. Confined to one migration. */
public final class RouteDraft {
    /**
     * What a route matches.
     *
     * @param virtualServer null: every one
     * @param hosts empty: every one
     * @param methods empty: every one
     */
    public record When(
            @Nullable String virtualServer, List<String> hosts, PathMatch match, String path, List<String> methods) {
        public When {
            hosts = List.copyOf(hosts);
            methods = List.copyOf(methods);
        }

        /** Everything. */
        public static final When ALWAYS = new When(null, List.of(), PathMatch.PREFIX, "/", List.of());

        public When path(PathMatch by, String of) {
            return new When(virtualServer, hosts, by, of, methods);
        }

        public When hosts(List<String> of) {
            return new When(virtualServer, of, match, path, methods);
        }

        public When methods(List<String> of) {
            return new When(virtualServer, hosts, match, path, of);
        }
    }

    public final Place at;
    public When when;
    /** How much of a path it names, where that decides the order of patterns. */
    public int length;
    /** What it does, without what it matches. */
    public Section body = new Section();

    /** Whether it only says that nothing is there. */
    public boolean unserved;
    /** What it refuses because it matches more than it should; null: it does not. */
    public @Nullable String vague;
    /** Whether what it refuses for that reason is served in the source. */
    public boolean lost;
    /** What it has in place of what moves a path, if its own is a pattern; null: it moves none. */
    public @Nullable Section asPattern;

    public RouteDraft(When when, Place at) {
        this.when = when;
        this.at = at;
    }

    /** Whether its path must stay a prefix. */
    public boolean movesPath() {
        return body.has("rewrite-path")
                || (body.has("redirect") && body.section("redirect").has("url-prefix"));
    }

    public boolean refuses() {
        return body.has("deny");
    }

    /** Replaces what it does with a refusal. */
    public void close() {
        body = new Section().put("deny", "on");
    }

    /**
     * As an item of {@code proxy.routes}.
     *
     */
    public Section section() {
        Section s = new Section().from(at);
        if (when.virtualServer() != null) {
            s.put("virtual-server", when.virtualServer());
        }
        if (!when.hosts().isEmpty()) {
            s.put("hosts", when.hosts());
        }
        boolean everything = when.match() == PathMatch.PREFIX && when.path().equals("/");
        if (!everything) {
            s.put("path", when.path());
        }
        if (when.match() != PathMatch.PREFIX) {
            s.put("path-match", when.match().name().toLowerCase(Locale.ROOT));
        }
        if (!when.methods().isEmpty()) {
            s.put("methods", when.methods());
        }
        body.entries().forEach((key, e) -> s.entries().put(key, e));
        return s;
    }

    /** Whether routes can have this pattern for paths. */
    public static boolean isPath(PathMatch match, String pattern) {
        try {
            RuleCondition.PathRule rule = new RuleCondition.PathRule(match, pattern);
            return isPattern(rule.match(), rule.text());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether routes can have this pattern. */
    public static boolean isPattern(PathMatch match, String pattern) {
        try {
            Patterns.parse(match, pattern);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
