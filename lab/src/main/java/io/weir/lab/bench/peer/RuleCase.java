package io.weir.lab.bench.peer;

import java.util.Locale;

/** The position of a request's rule among the rules. */
public enum RuleCase {
    FIRST,
    MIDDLE,
    LAST,
    REGEX,
    NONE;

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A folder that the rule matches; the number of rules is a multiple of ten; all but REGEX are wildcards. */
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
