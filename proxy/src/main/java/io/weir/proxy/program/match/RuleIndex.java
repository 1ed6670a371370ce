package io.weir.proxy.program.match;

import io.weir.http.Method;
import io.weir.http.TargetForm;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first of many rules that a request matches, in time independent of their number: rules are indexed by
 * virtual server, host and path, and each index part returns its lowest number. Immutable.
 */
public final class RuleIndex {
    private static final int NOTHING = Integer.MAX_VALUE;

    private final Rule[] rules;
    // by ordinal of the virtual server plus one; index 0 has the rules for every one
    private final @Nullable HostTable<PathRules>[] hosts;

    /** A rule without host, virtual server and those paths that the index decides. */
    private record Rule(
            boolean anyMethod,
            Set<Method> methods,
            Set<String> names,
            boolean anyForm,
            Set<TargetForm> forms,
            @Nullable PathPattern pattern) {}

    /** The rules for one host pattern. */
    private static final class PathRules {
        private final int[] always;
        private final PathTable paths;
        private final PatternFilter patterns;

        private PathRules(int[] always, PathTable paths, PatternFilter patterns) {
            this.always = always;
            this.paths = paths;
            this.patterns = patterns;
        }
    }

    /**
     * Indexes the rules.
     *
     * @param virtualServers positions of the virtual servers by name, 0 and up
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public RuleIndex(List<RuleCondition> conditions, Map<String, Integer> virtualServers) {
        rules = new Rule[conditions.size()];
        hosts = new HostTable[virtualServers.size() + 1];
        Map<Integer, Map<String, List<Integer>>> files = new HashMap<>();
        for (int i = 0; i < rules.length; i++) {
            RuleCondition c = conditions.get(i);
            rules[i] = rule(c);
            String server = c.virtualServer();
            int ordinal = server == null ? 0 : virtualServers.getOrDefault(server, -1) + 1;
            List<String> names = c.hosts().isEmpty() ? List.of("*") : c.hosts();
            for (String name : Set.copyOf(names)) {
                if (server == null || ordinal > 0) {
                    files.computeIfAbsent(ordinal, _ -> new HashMap<>())
                            .computeIfAbsent(name, _ -> new ArrayList<>())
                            .add(i);
                }
            }
        }
        files.forEach((ordinal, byHost) -> {
            HostTable<PathRules> table = new HostTable<>();
            byHost.forEach((host, numbers) -> table.putIfAbsent(host, file(numbers, conditions)));
            hosts[ordinal] = table;
        });
    }

    private static Rule rule(RuleCondition c) {
        Set<Method> methods = EnumSet.noneOf(Method.class);
        for (String name : c.methods()) {
            methods.add(Method.of(name));
        }
        Set<TargetForm> forms = EnumSet.noneOf(TargetForm.class);
        forms.addAll(c.forms());
        RuleCondition.PathRule path = c.path();
        boolean pattern = path != null && isPattern(path);
        return new Rule(
                c.methods().isEmpty(),
                methods,
                c.methods(),
                c.forms().isEmpty(),
                forms,
                pattern && path != null ? Patterns.parse(path.match(), path.text()) : null);
    }

    private static boolean isPattern(RuleCondition.PathRule path) {
        return path.match() == PathMatch.REGEX
                || (path.match() == PathMatch.WILDCARD && Globs.plain(path.text()) == null);
    }

    private static PathRules file(List<Integer> numbers, List<RuleCondition> conditions) {
        List<Integer> always = new ArrayList<>();
        Map<Integer, RuleCondition.PathRule> paths = new TreeMap<>();
        Map<Integer, List<List<byte[]>>> patterns = new TreeMap<>();
        for (int i : numbers) {
            RuleCondition.PathRule path = plain(conditions.get(i).path());
            if (path == null) {
                always.add(i);
            } else if (isPattern(path)) {
                patterns.put(i, Literals.options(Patterns.tree(path.match(), path.text())));
            } else {
                paths.put(i, path);
            }
        }
        return new PathRules(
                always.stream().mapToInt(i -> i).toArray(), new PathTable(paths), new PatternFilter(patterns));
    }

    /** The same rule without needless patterns; null if it matches every path. */
    private static RuleCondition.@Nullable PathRule plain(RuleCondition.@Nullable PathRule path) {
        if (path == null || (path.match() == PathMatch.PREFIX && path.text().equals("/"))) {
            return null;
        }
        String text = path.match() == PathMatch.WILDCARD ? Globs.plain(path.text()) : null;
        if (text == null) {
            return path;
        }
        return text.equals("*") ? null : new RuleCondition.PathRule(PathMatch.EXACT, text);
    }

    /** The number of the first matching rule at or after {@code from}, or -1. Allocates nothing. */
    public int first(MatchInput in, int from) {
        int found = in(hosts[0], in, from, NOTHING);
        int server = in.virtualServer + 1;
        if (server < hosts.length) {
            found = in(hosts[server], in, from, found);
        }
        return found == NOTHING ? -1 : found;
    }

    private int in(@Nullable HostTable<PathRules> table, MatchInput in, int from, int best) {
        if (table == null) {
            return best;
        }
        int found = in(table.any(), in, from, best);
        if (table.hasNames()) {
            found = in(table.exact(in.hostBytes, in.hostFrom, in.hostTo), in, from, found);
        }
        if (table.hasSuffixes()) {
            for (int i = in.hostFrom; i < in.hostTo; i++) {
                if (in.hostBytes[i] == '.') {
                    found = in(table.suffix(in.hostBytes, i + 1, in.hostTo), in, from, found);
                }
            }
        }
        return found;
    }

    private int in(@Nullable PathRules file, MatchInput in, int from, int best) {
        if (file == null) {
            return best;
        }
        int found = lowest(file.always, in, from, best);
        found = file.paths.first(this, in, from, found);
        return file.patterns.first(this, in, from, found);
    }

    /**
     * The lowest of the sorted numbers from {@code from} on and below {@code best} whose rule matches, or {@code best}.
     */
    int lowest(int[] numbers, MatchInput in, int from, int best) {
        for (int number : numbers) {
            if (number >= best) {
                return best;
            }
            if (number >= from && holds(rules[number], in)) {
                return number;
            }
        }
        return best;
    }

    private static boolean holds(Rule rule, MatchInput in) {
        if ((!rule.anyMethod && !methodHolds(rule, in)) || (!rule.anyForm && !rule.forms.contains(in.form))) {
            return false;
        }
        PathPattern pattern = rule.pattern;
        return pattern == null || pattern.matches(in.pathBytes, in.pathFrom, in.pathTo);
    }

    private static boolean methodHolds(Rule rule, MatchInput in) {
        return rule.methods.contains(in.method) && (in.method != Method.OTHER || rule.names.contains(in.methodName));
    }
}
