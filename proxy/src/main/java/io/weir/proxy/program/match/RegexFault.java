package io.weir.proxy.program.match;

import com.google.re2j.PatternSyntaxException;

/** Says what is wrong with a regular expression of RE2. Stateless. */
public final class RegexFault {
    private RegexFault() {}

    /** The reason, with the expression; what other engines have and RE2 has not is named. */
    public static String reason(PatternSyntaxException e, String expression) {
        String part = String.valueOf(e.getPattern());
        String reason = part.matches("(?s)\\\\([1-9]|k).*")
                ? "back-references are not supported, since a text is read once,"
                : part.matches("(?s)\\(\\?<?[=!].*")
                        ? "look-ahead and look-behind are not supported, since a text is read once,"
                        : e.getDescription();
        return reason + " in the regular expression \"" + expression + "\"";
    }
}
