package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Rules read one by one, with the JDK's regular expressions: what the index must agree with. */
final class NaiveRules {
    private final List<RuleCondition> rules;
    private final Map<String, Integer> virtualServers;
    private final List<Pattern> patterns;

    NaiveRules(List<RuleCondition> rules, Map<String, Integer> virtualServers) {
        this.rules = rules;
        this.virtualServers = virtualServers;
        this.patterns = rules.stream().map(NaiveRules::pattern).toList();
    }

    private static Pattern pattern(RuleCondition c) {
        RuleCondition.PathRule p = c.path();
        if (p == null || (p.match() == PathMatch.PREFIX && p.text().equals("/"))) {
            return Pattern.compile(".*", Pattern.DOTALL);
        }
        return switch (p.match()) {
            case EXACT -> Pattern.compile(Pattern.quote(p.text()));
            case PREFIX ->
                Pattern.compile(
                        p.text().endsWith("/") ? Pattern.quote(p.text()) + ".*" : Pattern.quote(p.text()) + "(/.*)?",
                        Pattern.DOTALL);
            case REGEX -> Pattern.compile(p.text(), Pattern.DOTALL);
            case WILDCARD -> Pattern.compile(regex(p.text()), Pattern.DOTALL);
        };
    }

    private static String regex(String glob) {
        int tilde = Patterns.tilde(glob);
        if (tilde >= 0) {
            return "(?!(?:" + regex(glob.substring(tilde + 1)) + ")$)(?:" + regex(glob.substring(0, tilde)) + ")";
        }
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> b.append(".*");
                case '?' -> b.append('.');
                case '(' -> b.append("(?:");
                case ')', '|', '[', ']', '^', '-' -> b.append(c);
                case '\\' -> b.append(Pattern.quote(String.valueOf(glob.charAt(++i))));
                default -> b.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return b.toString();
    }

    int first(MatchInput in, int from) {
        for (int i = from; i < rules.size(); i++) {
            if (holds(rules.get(i), patterns.get(i), in)) {
                return i;
            }
        }
        return -1;
    }

    private boolean holds(RuleCondition c, Pattern pattern, MatchInput in) {
        String host = text(in.hostBytes, in.hostFrom, in.hostTo).toLowerCase(Locale.ROOT);
        String vs = c.virtualServer();
        return (c.hosts().isEmpty() || c.hosts().stream().anyMatch(h -> hostHolds(h, host)))
                && (vs == null || virtualServers.getOrDefault(vs, -1) == in.virtualServer)
                && (c.methods().isEmpty() || c.methods().contains(in.methodName))
                && (c.forms().isEmpty() || c.forms().contains(in.form))
                && pattern.matcher(text(in.pathBytes, in.pathFrom, in.pathTo)).matches();
    }

    private static boolean hostHolds(String pattern, String host) {
        return pattern.startsWith("*.") ? host.endsWith(pattern.substring(1)) : pattern.equals(host);
    }

    private static String text(byte[] b, int from, int to) {
        return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
