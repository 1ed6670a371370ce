package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.Nearest;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RuleCondition.PathRule;
import io.weir.proxy.program.run.Guard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The patterns of {@code <Client>}, and those by which directives of Service and Error are chosen. Stateless. */
final class ClientPatterns {
    private static final Set<String> NAMES = Set.of(
            "browser",
            "chunked",
            "code",
            "dns",
            "internal",
            "ip",
            "keep-alive",
            "keysize",
            "method",
            "name",
            "path",
            "ppath",
            "query",
            "reason",
            "restarted",
            "secret-keysize",
            "security",
            "type",
            "uri",
            "urlhost");
    private static final Set<String> FLAGS = Set.of("chunked", "internal", "keep-alive", "restarted", "security");

    private ClientPatterns() {}

    private enum Match {
        ALL,
        ANY,
        NONE
    }

    /** Whether the pattern is true or false. */
    static boolean isFlag(String name) {
        return FLAGS.contains(name);
    }

    /** When the directives of a {@code <Client>} apply. */
    static Guard of(
            List<ObjText.Parameter> patterns,
            RunInput.Surroundings surroundings,
            BiConsumer<ConfigNode.Place, String> problem) {
        Match match = Match.ALL;
        List<Guard> guards = new ArrayList<>();
        for (ObjText.Parameter p : patterns) {
            String text = p.value().constant();
            if (text == null) {
                problem.accept(p.at(), "the patterns of <Client> are constant; <If> has expressions");
            } else if (p.name().equals("match")) {
                match = switch (text) {
                    case "any" -> Match.ANY;
                    case "none" -> Match.NONE;
                    default -> Match.ALL;
                };
                if (match == Match.ALL && !text.equals("all")) {
                    problem.accept(p.at(), "match is all, any or none, found \"" + text + "\"");
                }
            } else {
                String never = p.name().equals("uri")
                        ? LiteralPath.problem(PathMatch.WILDCARD, text.startsWith("~") ? text.substring(1) : text)
                        : null;
                if (never != null) {
                    problem.accept(p.at(), "uri: " + never);
                }
                Guard guard = guard(p, text, surroundings, problem);
                if (guard != null) {
                    guards.add(guard);
                }
            }
        }
        List<Guard> all = List.copyOf(guards);
        Match by = match;
        return run -> switch (by) {
            case ALL -> all.stream().allMatch(g -> g.holds(run));
            case ANY -> all.stream().anyMatch(g -> g.holds(run));
            case NONE -> all.stream().noneMatch(g -> g.holds(run));
        };
    }

    /** What the patterns demand of the path; null: nothing simple. */
    static @Nullable PathRule path(List<ObjText.Parameter> patterns) {
        PathRule path = null;
        for (ObjText.Parameter p : patterns) {
            String text = String.valueOf(p.value().constant());
            if (p.name().equals("match") && !text.equals("all")) {
                return null;
            }
            if (p.name().equals("uri") && !text.startsWith("~")) {
                path = NecessaryPath.wildcard(text);
            }
        }
        return path;
    }

    private static @Nullable Guard guard(
            ObjText.Parameter p,
            String text,
            RunInput.Surroundings surroundings,
            BiConsumer<ConfigNode.Place, String> problem) {
        if (p.name().equals("odds")) {
            double odds = odds(text);
            if (odds < 0) {
                problem.accept(p.at(), "odds are a percentage or a ratio such as 20% or 1/5, found \"" + text + "\"");
            }
            return _ -> surroundings.random().nextDouble() < odds;
        }
        if (!NAMES.contains(p.name())) {
            Set<String> known = new TreeSet<>(NAMES);
            known.add("match");
            known.add("odds");
            problem.accept(p.at(), "<Client> has no \"" + p.name() + "\"" + Nearest.known(p.name(), known));
            return null;
        }
        String variable = p.name().replace('-', '_');
        if (!FLAGS.contains(p.name())) {
            return matches(variable, p, text, surroundings, problem);
        }
        Boolean wanted = Parameters.flag(text);
        if (wanted == null) {
            problem.accept(p.at(), p.name() + " is true or false, found \"" + text + "\"");
            return null;
        }
        boolean is = wanted;
        return run -> is == Values.truth(new RunInput(run, surroundings).variable(variable));
    }

    /** A guard that a variable matches a shell expression; what is undefined is an empty text. */
    static @Nullable Guard matches(
            String variable,
            ObjText.Parameter p,
            String text,
            RunInput.Surroundings surroundings,
            BiConsumer<ConfigNode.Place, String> problem) {
        try {
            // an exception without what it is an exception of: from everything
            PathPattern pattern = Patterns.parse(PathMatch.WILDCARD, text.startsWith("~") ? "*" + text : text);
            return run -> {
                byte[] value = Values.text(new RunInput(run, surroundings).variable(variable))
                        .getBytes(StandardCharsets.ISO_8859_1);
                return pattern.matches(value, 0, value.length);
            };
        } catch (IllegalArgumentException e) {
            problem.accept(p.at(), p.name() + ": " + e.getMessage());
            return null;
        }
    }

    /** A share of requests; negative: it is none. */
    private static double odds(String text) {
        if (text.matches("[0-9]{1,3}(\\.[0-9]{1,6})?%")) {
            return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
        }
        if (text.matches("[0-9]{1,9}/[1-9][0-9]{0,8}")) {
            int slash = text.indexOf('/');
            return Double.parseDouble(text.substring(0, slash)) / Double.parseDouble(text.substring(slash + 1));
        }
        return -1;
    }
}
