package io.weir.server.migrate.draft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lists of methods. Stateless. */
public final class Methods {
    /** Those that remain where a source names those that it refuses: all that are usual. */
    private static final List<String> USUAL = List.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "OPTIONS",
            "PATCH",
            "COPY",
            "LOCK",
            "MKCOL",
            "MOVE",
            "PROPFIND",
            "PROPPATCH",
            "REPORT",
            "SEARCH",
            "UNLOCK");

    private Methods() {}

    /** Names between commas and blanks. */
    public static List<String> list(String text) {
        return Arrays.stream(text.trim().split("[\\s,]+", -1))
                .filter(m -> !m.isEmpty())
                .toList();
    }

    /** The usual methods but these. */
    public static List<String> without(List<String> refused) {
        List<String> left = new ArrayList<>(USUAL);
        left.removeAll(refused);
        if (refused.contains("GET")) {
            // GET would include HEAD
            left.remove("HEAD");
        }
        return left;
    }
}
