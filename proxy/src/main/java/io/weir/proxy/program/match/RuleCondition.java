package io.weir.proxy.program.match;

import io.weir.http.TargetForm;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a directive applies. All parts must hold; an empty part always holds. Immutable.
 *
 * @param hosts names and {@code *.suffix}es in lower case
 * @param virtualServer name of a virtual server
 * @param path condition on the path
 * @param methods names of methods
 * @param forms forms of the request target
 */
public record RuleCondition(
        List<String> hosts,
        @Nullable String virtualServer,
        @Nullable PathRule path,
        Set<String> methods,
        Set<TargetForm> forms) {
    /** Always holds. */
    public static final RuleCondition ALWAYS = new RuleCondition(List.of(), null, null, Set.of(), Set.of());

    /**
     * A condition on a path.
     *
     * @param text an exact path or a prefix, kept in its normal form, or a pattern
     */
    public record PathRule(PathMatch match, String text) {
        /** @throws IllegalArgumentException for a pattern that no path in normal form matches */
        public PathRule {
            if (match == PathMatch.PREFIX || match == PathMatch.EXACT) {
                text = LiteralPath.of(text);
            } else {
                String problem = LiteralPath.problem(match, text);
                if (problem != null) {
                    throw new IllegalArgumentException(problem);
                }
            }
        }
    }

    public RuleCondition {
        hosts = List.copyOf(hosts);
        methods = Set.copyOf(methods);
        forms = Set.copyOf(forms);
    }

    /** Matches paths only. */
    public static RuleCondition path(PathMatch match, String text) {
        return new RuleCondition(List.of(), null, new PathRule(match, text), Set.of(), Set.of());
    }
}
