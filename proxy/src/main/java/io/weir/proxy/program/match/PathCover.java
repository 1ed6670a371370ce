package io.weir.proxy.program.match;

import io.weir.proxy.program.match.RuleCondition.PathRule;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether rules match every path that another rule matches: their automata run in parallel over all paths that a
 * request can have, in search of one that only the other rule matches. The total work of all queries is bounded; what
 * cannot be decided within the bound is reported as not covered. Confined to a check of a configuration.
 */
public final class PathCover {
    private static final PathRule EVERY = new PathRule(PathMatch.WILDCARD, "*");
    private static final int DEAD = -1;
    private static final int MAX_RULES = 64;
    private static final int MAX_STATES = 4000;

    private final Map<PathRule, Language> languages = new HashMap<>();
    private final Map<PathRule, Search> examples = new HashMap<>();
    private final Map<PathRule, Boolean> takesAll = new HashMap<>();
    private long steps;

    /** @param steps bound on automaton steps of all queries together */
    public PathCover(long steps) {
        this.steps = steps;
    }

    /** A path that the rule matches; null if no request has one, or if none is found within the bound. */
    public @Nullable String example(@Nullable PathRule rule) {
        if (rule == null) {
            return "/";
        }
        return isLiteral(rule) ? rule.text() : searched(rule).found;
    }

    /** Whether the rule matches no path that a request can have. */
    public boolean matchesNothing(PathRule rule) {
        return !isLiteral(rule) && searched(rule).exhausted();
    }

    private Search searched(PathRule rule) {
        Search search = examples.get(rule);
        if (search == null) {
            search = new Search(List.of(of(rule)));
            search.run();
            examples.put(rule, search);
        }
        return search;
    }

    /** Whether the rule matches a path. */
    public boolean matches(@Nullable PathRule rule, String path) {
        if (rule == null) {
            return true;
        }
        String text = rule.text();
        return switch (rule.match()) {
            case EXACT -> path.equals(text);
            case PREFIX ->
                path.startsWith(text)
                        && (text.endsWith("/") || path.length() == text.length() || path.charAt(text.length()) == '/');
            case WILDCARD, REGEX -> of(rule).matches(path.getBytes(StandardCharsets.UTF_8));
        };
    }

    /**
     * Whether each path that {@code rule} matches is matched by one of {@code by}.
     *
     * @param rule null: every path
     * @param by an element that is null: every path
     */
    public boolean covered(@Nullable PathRule rule, List<@Nullable PathRule> by) {
        PathRule target = plain(rule);
        List<PathRule> others = by.stream().map(PathCover::plain).toList();
        for (PathRule a : others) {
            if (takesAll(a) || a.equals(target) || (isExact(target) && matches(a, target.text()))) {
                return true;
            }
        }
        if (isExact(target)
                || others.size() > MAX_RULES
                || (isLiteral(target) && others.stream().allMatch(PathCover::isExact))) {
            return false;
        }
        List<Language> all = new ArrayList<>();
        all.add(of(target));
        others.forEach(a -> all.add(of(a)));
        return isEmpty(all);
    }

    private static PathRule plain(@Nullable PathRule rule) {
        return rule == null || (rule.match() == PathMatch.PREFIX && rule.text().equals("/")) ? EVERY : rule;
    }

    /** Cached, because many rules may come after the same one. */
    private boolean takesAll(PathRule rule) {
        if (rule.equals(EVERY) || isLiteral(rule)) {
            return rule.equals(EVERY);
        }
        Boolean takes = takesAll.get(rule);
        if (takes == null) {
            takes = isEmpty(List.of(of(EVERY), of(rule)));
            takesAll.put(rule, takes);
        }
        return takes;
    }

    private boolean isEmpty(List<Language> all) {
        Search search = new Search(all);
        search.run();
        return search.exhausted();
    }

    private static boolean isExact(PathRule rule) {
        return rule.match() == PathMatch.EXACT;
    }

    private static boolean isLiteral(PathRule rule) {
        return rule.match() == PathMatch.PREFIX || rule.match() == PathMatch.EXACT;
    }

    private Language of(PathRule rule) {
        return languages.computeIfAbsent(rule, Language::of);
    }

    /**
     * The paths that a rule matches. Immutable.
     *
     * @param but paths that it excludes
     */
    private record Language(Automaton all, @Nullable Automaton but) {
        static Language of(PathRule rule) {
            if (rule.match() == PathMatch.REGEX) {
                return new Language(Automaton.of(new RegexParser(rule.text()).parse()), null);
            }
            String text = Globs.from(rule);
            int tilde = Patterns.tilde(text);
            return tilde < 0
                    ? new Language(glob(text), null)
                    : new Language(glob(text.substring(0, tilde)), glob(text.substring(tilde + 1)));
        }

        private static Automaton glob(String text) {
            return Automaton.of(new GlobParser(text).parse());
        }

        boolean matches(byte[] path) {
            return all.matches(path, 0, path.length) && !(but != null && but.matches(path, 0, path.length));
        }

        boolean accepts(int state, int butState) {
            return state != DEAD && all.accepts(state) && !(but != null && butState != DEAD && but.accepts(butState));
        }
    }

    /** A path's last byte, the step before it, and the states of all automata after it: two for each language. */
    private static final class Step {
        private final @Nullable Step before;
        private final int last;
        private final int[] states;

        private Step(@Nullable Step before, int last, int[] states) {
            this.before = before;
            this.last = last;
            this.states = states;
        }

        private String path() {
            StringBuilder path = new StringBuilder();
            for (Step s = this; s != null && s.before != null; s = s.before) {
                path.append((char) s.last);
            }
            return path.reverse().toString();
        }
    }

    /** Searches for a path that the first language has and none of the others has, shortest first. Used once. */
    private final class Search {
        private final List<Language> languages;
        private final Set<IntBuffer> seen = new HashSet<>();
        private final Deque<Step> open = new ArrayDeque<>();
        private @Nullable String found;
        private boolean cutShort;

        private Search(List<Language> languages) {
            this.languages = languages;
        }

        private void run() {
            follow(new Step(null, 0, new int[languages.size() * 2]), '/');
            for (Step at = open.poll(); at != null && found == null && !cutShort; at = open.poll()) {
                if (only(at.states)) {
                    found = at.path();
                } else {
                    followAll(at);
                }
            }
            seen.clear();
            open.clear();
        }

        private void followAll(Step at) {
            for (int b = 1; b < 256; b++) {
                if (inPath(b)) {
                    follow(at, b);
                }
            }
            steps -= 256L * at.states.length;
            cutShort = steps <= 0 || seen.size() > MAX_STATES;
        }

        /** The search was exhaustive, and there is no such path. */
        private boolean exhausted() {
            return found == null && !cutShort;
        }

        private boolean only(int[] at) {
            boolean first = languages.getFirst().accepts(at[0], at[1]);
            for (int i = 1; first && i < languages.size(); i++) {
                first = !languages.get(i).accepts(at[2 * i], at[2 * i + 1]);
            }
            return first;
        }

        private void follow(Step from, int b) {
            int[] then = new int[from.states.length];
            for (int i = 0; i < languages.size(); i++) {
                Language l = languages.get(i);
                Automaton but = l.but();
                then[2 * i] = l.all().step(from.states[2 * i], b);
                then[2 * i + 1] = but == null ? DEAD : but.step(from.states[2 * i + 1], b);
            }
            if (then[0] != DEAD && seen.add(IntBuffer.wrap(then))) {
                open.add(new Step(from, b, then));
            }
        }
    }

    /** Blanks, controls and path terminators never occur in a path. */
    private static boolean inPath(int b) {
        return b > ' ' && b != '?' && b != '#' && b != 0x7f;
    }
}
