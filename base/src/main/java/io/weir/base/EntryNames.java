package io.weir.base;

import java.util.regex.Pattern;

/** The names that entries of a configuration's map may have. */
public enum EntryNames {
    /** Names that are part of keys, file names and URLs as they are. */
    PLAIN(
            "[A-Za-z0-9][A-Za-z0-9_-]{0,63}",
            "a name has 1 to 64 letters, digits, dashes or underscores, and begins with a letter or digit"),
    /** Names of several parts, as destinations have: {@code orders.in}. In keys they are quoted ({@link KeyPath}). */
    DOTTED(
            "(?=.{1,255}$)[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*",
            "a name has 1 to 255 letters, digits, dashes, underscores or single dots between them, and begins with a"
                    + " letter or digit");

    private final Pattern pattern;
    private final String form;

    EntryNames(String pattern, String form) {
        this.pattern = Pattern.compile(pattern);
        this.form = form;
    }

    boolean fit(String name) {
        return pattern.matcher(name).matches();
    }

    /** What is expected, for messages. */
    String form() {
        return form;
    }
}
