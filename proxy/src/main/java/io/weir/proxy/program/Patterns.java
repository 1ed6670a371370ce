package io.weir.proxy.program;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Compiles the patterns of rules. Stateless. */
final class Patterns {
    private Patterns() {}

    /**
     * Compiles a pattern over a whole path.
     *
     * @throws IllegalArgumentException saying what is wrong and where
     */
    static PathPattern parse(PathMatch match, String text) {
        Pattern p = switch (match) {
            case REGEX -> Pattern.compile(text);
            case WILDCARD -> Pattern.compile(text.replace("*", ".*"));
            case EXACT -> Pattern.compile(Pattern.quote(text));
            case PREFIX -> Pattern.compile(Pattern.quote(text) + "(/.*)?");
        };
        return (b, from, to) -> p.matcher(new String(b, from, to - from, StandardCharsets.ISO_8859_1))
                .matches();
    }
}
