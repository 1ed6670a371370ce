package io.weir.cluster.members;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** The results of one round of introductions, by address. Confined to the loop; lives until the next round. */
record Round(Map<String, Introduction> heard, Map<String, String> problems) {
    Round() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    /** Message for a failed request. */
    static String text(Throwable failure) {
        Throwable cause = failure instanceof CompletionException c && c.getCause() != null ? c.getCause() : failure;
        String text = cause.getMessage();
        return text == null ? cause.toString() : text;
    }

    /** Why members did not answer, each with its address once. */
    String failures() {
        return problems.entrySet().stream()
                .map(e -> e.getValue().contains(e.getKey()) ? e.getValue() : e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining("; "));
    }

    /** The sorted names of the members that answered. */
    List<String> names() {
        return List.copyOf(
                new TreeSet<>(heard.values().stream().map(Introduction::name).toList()));
    }
}
