package io.weir.proxy.program.objconf;

import java.util.List;

/** When a directive applies, as it is written in the blocks around it, for those who do not run it. Immutable. */
public sealed interface WrittenCondition {
    /** Without a block. */
    WrittenCondition ALWAYS = new All(List.of());

    /** How a text is compared. */
    enum By {
        /** It is a shell expression's. */
        WILDCARD,
        /** A regular expression (RE2) is found in it. */
        REGEX,
        /** It is the same. */
        TEXT
    }

    /**
     * A comparison of a variable.
     *
     * @param variable without the dollar sign; {@code $reqpb{'uri'}} is {@code uri}
     */
    record Test(String variable, By by, String pattern) implements WrittenCondition {}

    /** The opposite. */
    record Not(WrittenCondition of) implements WrittenCondition {}

    /** All of them; without any, always. */
    record All(List<WrittenCondition> of) implements WrittenCondition {
        public All {
            of = List.copyOf(of);
        }
    }

    /** One of them; without any, never. */
    record Any(List<WrittenCondition> of) implements WrittenCondition {
        public Any {
            of = List.copyOf(of);
        }
    }

    /** Anything else. */
    record Other() implements WrittenCondition {}
}
