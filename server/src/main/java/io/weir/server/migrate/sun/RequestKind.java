package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.server.migrate.draft.RouteDraft;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a kind, while a program is followed for them: what is known of them, and the first question that decided
 * nothing. Confined to one migration.
 */
final class RequestKind {
    /** More demands of one path are not told apart. */
    private static final int MAX_DEMANDS = 32;

    /** What two kinds of requests differ in. */
    sealed interface Question {
        /** Whether the path is one of these. */
        record OfPath(PathTest test) implements Question {}

        /** Whether the method is one of these. */
        record OfMethod(Set<String> methods) implements Question {
            public OfMethod {
                methods = Set.copyOf(methods);
            }
        }
    }

    private final String server;
    private final String host;
    private final boolean tunnel;
    private final @Nullable String port;
    private final List<PathTest> demands = new ArrayList<>();
    private final List<PathTest> excluded = new ArrayList<>();
    private final Map<PathTest, Boolean> answers = new HashMap<>();
    private final Map<String, List<Optional<PathTest>>> wildcards = new HashMap<>();
    private PathTest path = PathTest.ALL;
    private boolean vague;
    private @Nullable Set<String> methods;
    private Set<String> otherMethods = Set.of();
    private @Nullable Question asked;

    private RequestKind(String server, String host, boolean tunnel, @Nullable String port) {
        this.server = server;
        this.host = host;
        this.tunnel = tunnel;
        this.port = port;
        this.otherMethods = Set.of("CONNECT");
    }

    /**
     * Requests to a virtual server and a host.
     *
     * @param server empty: one that is not asked for
     * @param host a name, or {@code *.name} for what no other kind has; empty: any that no other kind has
     */
    static RequestKind of(String server, String host) {
        return new RequestKind(server, host, false, null);
    }

    /**
     * CONNECT, to any host.
     *
     * @param port null: one that no other kind has
     */
    static RequestKind tunnels(@Nullable String port) {
        RequestKind kind = new RequestKind("", "", true, port);
        kind.methods = Set.of("CONNECT");
        kind.otherMethods = Set.of();
        return kind;
    }

    /** Whether they are CONNECT, which has an empty path. */
    boolean isTunnel() {
        return tunnel;
    }

    /** The port of tunnels; null: one that no other kind has. */
    @Nullable
    String port() {
        return port;
    }

    /** Whether the path matches a shell expression without exceptions. */
    Holds matches(String pattern) {
        if (tunnel) {
            return RouteDraft.isPattern(PathMatch.WILDCARD, pattern)
                    ? Holds.of(Patterns.matches(Patterns.parse(PathMatch.WILDCARD, pattern), ""))
                    : Holds.MAYBE;
        }
        List<Optional<PathTest>> tests = wildcards.get(pattern);
        if (tests == null) {
            tests = PathPatterns.each(pattern).stream()
                    .map(p -> Optional.ofNullable(PathPatterns.wildcard(p)))
                    .toList();
            wildcards.put(pattern, tests);
        }
        Holds any = Holds.NO;
        for (Optional<PathTest> test : tests) {
            // no route says it, if there is none
            any = any.or(test.isPresent() ? isPath(test.get()) : Holds.MAYBE);
        }
        return any;
    }

    String server() {
        return server;
    }

    String host() {
        return host;
    }

    /** The paths; those of later kinds may be among them, which come second. */
    PathTest path() {
        return path;
    }

    /** Whether the paths are more than those of the kind. */
    boolean vague() {
        return vague;
    }

    /** The methods, as a route names them; empty: those that no kind before it has. */
    List<String> methods() {
        Set<String> m = methods;
        return m == null
                ? List.of()
                : m.stream()
                        .filter(name -> !name.equals("HEAD") || !m.contains("GET"))
                        .sorted()
                        .toList();
    }

    /** Whether a question was asked that has no answer: the requests are followed again when it has one. */
    boolean asks() {
        return asked != null;
    }

    /** The question that was asked and has no answer; it is forgotten. */
    @Nullable
    Question question() {
        Question q = asked;
        asked = null;
        return q;
    }

    Holds isHost(String pattern) {
        if (tunnel) {
            return Holds.MAYBE;
        }
        if (host.startsWith("*.")) {
            return Holds.of(pattern.startsWith("*.") && host.endsWith(pattern.substring(1)));
        }
        return Holds.of(!host.isEmpty() && HostPattern.matches(pattern, host));
    }

    Holds isPath(PathTest test) {
        if (test.equals(PathTest.ALL) && !tunnel) {
            return Holds.YES;
        }
        Boolean known = answers.get(test);
        if (known != null) {
            return Holds.of(known);
        }
        if (tunnel) {
            // the target is a host and port
            boolean some = test.head().startsWith("/") || !test.tail().isEmpty();
            return some && !test.equals(PathTest.ALL) ? Holds.NO : Holds.MAYBE;
        }
        if (demands.size() >= MAX_DEMANDS || asks()) {
            return Holds.MAYBE;
        }
        for (PathTest demand : demands) {
            if (test.covers(demand)) {
                return Holds.YES;
            }
            if (test.apart(demand)) {
                return Holds.NO;
            }
        }
        if (excluded.stream().anyMatch(e -> e.covers(test))) {
            return Holds.NO;
        }
        return ask(new Question.OfPath(test));
    }

    Holds isMethod(Collection<String> names) {
        Set<String> m = methods;
        Set<String> possible = new LinkedHashSet<>(names);
        if (m == null) {
            possible.removeAll(otherMethods);
        } else {
            possible.retainAll(m);
        }
        if (possible.isEmpty()) {
            return Holds.NO;
        }
        return m != null && possible.size() == m.size() ? Holds.YES : ask(new Question.OfMethod(possible));
    }

    private Holds ask(Question question) {
        if (asked == null) {
            asked = question;
        }
        return Holds.MAYBE;
    }

    /** What is known before an answer. */
    record Before(
            PathTest path,
            boolean vague,
            int demands,
            @Nullable Set<String> methods,
            Set<String> otherMethods) {}

    Before before() {
        return new Before(path, vague, demands.size(), methods, otherMethods);
    }

    /** Goes on with the requests whose path is one of these. */
    void only(PathTest test) {
        PathTest both = path.and(test);
        vague |= both == null;
        path = both == null ? test : both;
        demands.add(test);
        answers.put(test, true);
    }

    /** Forgets that. */
    void back(PathTest test, Before before) {
        answers.remove(test);
        demands.removeLast();
        restore(before);
    }

    /** Goes on with the requests whose path is none of these. */
    void without(PathTest test) {
        excluded.add(test);
        answers.put(test, false);
    }

    /** Forgets the last of those. */
    void backWithout(PathTest test) {
        excluded.removeLast();
        answers.remove(test);
    }

    /** Goes on with the requests of these methods. */
    void only(Set<String> names) {
        methods = Set.copyOf(names);
    }

    /** Goes on with the requests of other methods. */
    void without(Set<String> names) {
        Set<String> left = new LinkedHashSet<>(methods == null ? otherMethods : methods);
        if (methods == null) {
            left.addAll(names);
            otherMethods = left;
        } else {
            left.removeAll(names);
            methods = left;
        }
    }

    void restore(Before before) {
        path = before.path();
        vague = before.vague();
        methods = before.methods();
        otherMethods = before.otherMethods();
    }

    /** Whether GET is among those methods, HEAD is not, and both can be had: a route that names GET has both. */
    boolean partsHead(Set<String> names) {
        boolean possible = methods == null ? !otherMethods.contains("HEAD") : methods.contains("HEAD");
        return possible && names.contains("GET") && !names.contains("HEAD");
    }
}
