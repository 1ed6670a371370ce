package io.weir.proxy.program;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Finds the first of many rules that a request matches. Immutable. */
final class RuleIndex {
    private final List<RuleCondition> rules;
    private final VirtualServers virtualServers;

    RuleIndex(List<RuleCondition> rules, VirtualServers virtualServers) {
        this.rules = rules;
        this.virtualServers = virtualServers;
    }

    int first(MatchInput in, int from) {
        for (int i = from; i < rules.size(); i++) {
            if (NaiveRules.matches(rules.get(i), in, virtualServers)) {
                return i;
            }
        }
        return -1;
    }

    /** The plain reading of a condition. */
    static final class NaiveRules {
        private NaiveRules() {}

        static boolean matches(RuleCondition c, MatchInput in, VirtualServers virtualServers) {
            String host = new String(in.hostBytes, in.hostFrom, in.hostTo - in.hostFrom, StandardCharsets.ISO_8859_1)
                    .toLowerCase(Locale.ROOT);
            boolean hostHolds = c.hosts().isEmpty()
                    || c.hosts().stream()
                            .anyMatch(h -> h.startsWith("*.")
                                    ? host.endsWith(h.substring(1)) && host.length() >= h.length()
                                    : h.equals(host));
            String vs = c.virtualServer();
            boolean vsHolds = vs == null || virtualServers.ordinal(vs) == in.virtualServer;
            RuleCondition.PathRule p = c.path();
            boolean pathHolds = p == null
                    || p.match() == PathMatch.PREFIX && p.text().equals("/")
                    || Patterns.parse(p.match(), p.text()).matches(in.pathBytes, in.pathFrom, in.pathTo);
            return hostHolds
                    && vsHolds
                    && pathHolds
                    && (c.methods().isEmpty() || c.methods().contains(in.methodName))
                    && (c.forms().isEmpty() || c.forms().contains(in.form));
        }
    }
}
