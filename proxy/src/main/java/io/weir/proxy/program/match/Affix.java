package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A text that a path begins or ends with: what most shell expressions are. No automaton is made for them: of thousands
 * of rules it would be most of a start and of the memory. Immutable.
 */
final class Affix implements PathPattern {
    private final byte[] text;
    private final boolean begins;

    private Affix(byte[] text, boolean begins) {
        this.text = text;
        this.begins = begins;
    }

    /** The pattern of {@code text*} or {@code *text}; null: it is another one, or may be wrong. */
    static @Nullable PathPattern of(String glob) {
        boolean begins = glob.endsWith("*") && !glob.endsWith("\\*");
        if (glob.length() < 2 || begins == glob.startsWith("*")) {
            return null;
        }
        String rest = begins ? glob.substring(0, glob.length() - 1) : glob.substring(1);
        String literal = Globs.plain(rest);
        if (literal == null || rest.indexOf('\\') >= 0 || !isLatin1(literal)) {
            return null;
        }
        return new Affix(literal.getBytes(StandardCharsets.ISO_8859_1), begins);
    }

    private static boolean isLatin1(String text) {
        return text.chars().allMatch(c -> c <= 0xff);
    }

    @Override
    public boolean matches(byte[] b, int from, int to) {
        if (to - from < text.length) {
            return false;
        }
        int at = begins ? from : to - text.length;
        return Arrays.equals(b, at, at + text.length, text, 0, text.length);
    }
}
