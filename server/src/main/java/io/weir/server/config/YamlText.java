package io.weir.server.config;

import io.weir.base.ConfigNode;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes a {@link ConfigNode} tree as YAML that {@link Yaml} reads back to the same keys and texts. Stateless. */
public final class YamlText {
    /** Texts that need no quotes in any position, without characters that are special in YAML. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/_.][A-Za-z0-9/_.+%-]*(:[A-Za-z0-9/_.+%-]+)*");

    private YamlText() {}

    public static String of(ConfigNode.Mapping tree) {
        StringBuilder out = new StringBuilder();
        entries(tree, "", out);
        return out.toString();
    }

    private static void entries(ConfigNode.Mapping m, String indent, StringBuilder out) {
        for (Map.Entry<String, ConfigNode> e : m.entries().entrySet()) {
            out.append(indent).append(scalar(e.getKey())).append(':');
            value(e.getValue(), indent, out);
        }
    }

    private static void value(ConfigNode node, String indent, StringBuilder out) {
        switch (node) {
            case ConfigNode.Scalar s -> out.append(' ').append(scalar(s.text())).append('\n');
            case ConfigNode.Mapping m when m.entries().isEmpty() -> out.append(" {}\n");
            case ConfigNode.Mapping m -> {
                out.append('\n');
                entries(m, indent + "  ", out);
            }
            case ConfigNode.Sequence s when s.items().isEmpty() -> out.append(" []\n");
            case ConfigNode.Sequence s -> {
                out.append('\n');
                for (ConfigNode item : s.items()) {
                    item(item, indent + "  ", out);
                }
            }
        }
    }

    private static void item(ConfigNode item, String indent, StringBuilder out) {
        if (item instanceof ConfigNode.Mapping m && !m.entries().isEmpty()) {
            StringBuilder body = new StringBuilder();
            entries(m, indent + "  ", body);
            out.append(indent).append("- ").append(body, indent.length() + 2, body.length());
        } else {
            out.append(indent).append('-');
            value(item, indent + "  ", out);
        }
    }

    /** A text in YAML: plain if it is unambiguous, otherwise in double quotes. */
    static String scalar(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        StringBuilder q = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> q.append("\\\"");
                case '\\' -> q.append("\\\\");
                case '\n' -> q.append("\\n");
                case '\t' -> q.append("\\t");
                default -> {
                    if (c < 0x20 || c == 0x7f) {
                        q.append("\\x").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
                    } else {
                        q.append(c);
                    }
                }
            }
        }
        return q.append('"').toString();
    }
}
