package io.weir.server.cli.text;

import io.weir.base.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The admin listener's answers about the cluster as text, in columns. Stateless. */
public final class ClusterText {
    private ClusterText() {}

    /** A line for each row of an array; a line for each name of an object; the lines of an explanation as they are. */
    public static String of(String json) {
        JsonNode node = new ObjectMapper().readTree(json);
        if (node.isArray()) {
            return node.isEmpty() ? "none\n" : table(node);
        }
        JsonNode lines = node.get("lines");
        return lines == null ? names(node) : lines(lines);
    }

    private static String lines(JsonNode lines) {
        StringBuilder out = new StringBuilder();
        lines.forEach(l -> out.append(Printable.word(l.asString())).append('\n'));
        return out.toString();
    }

    private static String names(JsonNode object) {
        List<String[]> rows = new ArrayList<>();
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            String value = e.getValue().asString();
            if (!value.isEmpty()) {
                rows.add(new String[] {words(e.getKey()), value});
            }
        }
        return Columns.of(rows);
    }

    private static String table(JsonNode array) {
        List<String[]> rows = new ArrayList<>();
        List<String> names = new ArrayList<>(array.get(0).propertyNames());
        rows.add(names.stream().map(ClusterText::words).toArray(String[]::new));
        for (JsonNode row : array) {
            rows.add(names.stream().map(n -> cell(row.get(n))).toArray(String[]::new));
        }
        return Columns.of(rows);
    }

    private static String cell(JsonNode value) {
        if (value.isBoolean()) {
            return value.asBoolean() ? "yes" : "no";
        }
        String text = value.asString();
        return text.isEmpty() || text.equals("-1") ? "-" : text;
    }

    /** {@code millisLeft} as {@code millis left}. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(java.util.Locale.ROOT);
    }
}
