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
 * Whether rules take every path that another rule is for: the automata of all of them run side by side, over all paths that
 * a request can have, in search of one that only the other matches. The work is bounded, for all questions together; what
 * cannot be said within it counts as not covered. Confined to a check of a configuration.
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

    /** @param steps how many steps of automata all questions may take together */
    public PathCover(long steps) {
        this.steps = steps;
    }

    /** A path that the rule matches; null where no request has one, or where none is found in time. */
    public @Nullable String example(@Nullable PathRule rule) {
        if (rule == null) {
            return "/";
        }
        return isLiteral(rule) ? rule.text() : searched(rule).found;
    }

    /** Whether no request can have a path that the rule matches. */
    public boolean matchesNothing(PathRule rule) {
        return !isLiteral(rule) && searched(rule).inVain();
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
     * @param by null among them: every path
     */
    public boolean covered(@Nullable PathRule rule, List<@Nullable PathRule> by) {
        PathRule asked = plain(rule);
        List<PathRule> others = by.stream().map(PathCover::plain).toList();
        for (PathRule a : others) {
            if (takesAll(a) || a.equals(asked) || (isExact(asked) && matches(a, asked.text()))) {
                return true;
            }
        }
        if (isExact(asked)
                || others.size() > MAX_RULES
                || (isLiteral(asked) && others.stream().allMatch(PathCover::isExact))) {
            return false;
        }
        List<Language> all = new ArrayList<>();
        all.add(of(asked));
        others.forEach(a -> all.add(of(a)));
        return isEmpty(all);
    }

    private static PathRule plain(@Nullable PathRule rule) {
        return rule == null || (rule.match() == PathMatch.PREFIX && rule.text().equals("/")) ? EVERY : rule;
    }

    /** What many rules stand behind is looked at once. */
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
        return search.inVain();
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
     * What a rule matches. Immutable.
     *
     * @param but what of it does not count
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

    /** A path's last byte, what is before it, and the states of all automata behind it: two of each language. */
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

    /** Looks for a path that the first of the languages has and none of the others, the shortest first. Used once. */
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

        /** All was looked at, and there is none. */
        private boolean inVain() {
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

    /** Blanks, controls and what ends a path are in none. */
    private static boolean inPath(int b) {
        return b > ' ' && b != '?' && b != '#' && b != 0x7f;
    }
}
