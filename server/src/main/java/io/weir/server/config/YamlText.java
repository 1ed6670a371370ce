package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes a {@link ConfigNode} tree as YAML that {@link Yaml} reads back to the same keys and texts. Stateless. */
public final class YamlText {
    /** Texts that need no quotes in any position, without characters that are special in YAML. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/_.][A-Za-z0-9/_.+%-]*(:[A-Za-z0-9/_.+%-]+)*");

    private YamlText() {}

    /**
     * Why a tree cannot be written so that it is read back as it is; empty if it can. It is written and read, so that
     * no configuration is put into force with which the server would not start again.
     *
     * @param source the name of the file that is to be written
     */
    static List<ConfigProblem> unreadable(ConfigNode.Mapping tree, String source) {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping back = Yaml.read(source, of(tree), problems);
        if (problems.isEmpty() && !Overlay.same(back, tree)) {
            problems.add(new ConfigProblem(
                    ConfigNode.Place.of(source), "", "a text or a key would not be read back as it is: change it"));
        }
        return problems;
    }

    /** The tree as YAML. */
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
        if (PLAIN.matcher(text).matches() && !text.equalsIgnoreCase("null")) {
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
                    if (asIs(text, i)) {
                        q.append(c);
                    } else {
                        q.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    }
                }
            }
        }
        return q.append('"').toString();
    }

    /**
     * Whether a character stands for itself in YAML (1.2, production 1), also between double quotes and at the begin of
     * a file: neither a control character nor one that ends a line, a byte order mark, or no character at all.
     */
    private static boolean asIs(String text, int i) {
        char c = text.charAt(i);
        return switch (c) {
            case '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff' -> false;
            default ->
                !Character.isISOControl(c)
                        && (!Character.isSurrogate(c)
                                || (Character.isHighSurrogate(c)
                                        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                                        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1))));
        };
    }
}
