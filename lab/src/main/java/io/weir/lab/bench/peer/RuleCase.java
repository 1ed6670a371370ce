package io.weir.lab.bench.peer;

import java.util.Locale;

/** Where among the rules a request's rule stands. */
public enum RuleCase {
    FIRST,
    MIDDLE,
    LAST,
    REGEX,
    NONE;

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A folder that the rule matches, among so many, a multiple of ten; all but REGEX stand for wildcards. */
    public String path(int rules) {
        int middle = rules / 20 * 10;
        return switch (this) {
            case FIRST -> WeirConfigs.rulePath(0);
            case MIDDLE -> WeirConfigs.rulePath(middle + 4);
            case LAST -> WeirConfigs.rulePath(rules - 1);
            case REGEX -> WeirConfigs.rulePath(middle + 5);
            case NONE -> "/other-0000";
        };
    }
}
