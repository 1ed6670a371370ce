package io.weir.jms.selector;

import java.util.Locale;

/**
 * A token of a selector. Immutable.
 *
 * @param text its text; for a string its value
 * @param position index of its first character
 */
record Token(Kind kind, String text, int position) {
    /** The kinds of tokens. */
    enum Kind {
        IDENTIFIER,
        /** A reserved word; {@link #text} is in upper case. */
        WORD,
        STRING,
        EXACT,
        APPROXIMATE,
        /** An operator, parenthesis or comma. */
        SIGN,
        END
    }

    boolean is(String wordOrSign) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(wordOrSign);
    }

    /** Its description in faults. */
    String described() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "the string '" + shortened() + "'";
            default -> "'" + shortened() + "'";
        };
    }

    private String shortened() {
        return text.length() <= 40 ? text : String.format(Locale.ROOT, "%s…", text.substring(0, 40));
    }
}
