package io.weir.server.migrate.draft;

import io.weir.base.ConfigNode.Place;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a translation as YAML: a line for each value, with the place that it comes from as a comment. Used once. */
public final class YamlDraft {
    private static final int WIDTH = 118;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/_.][A-Za-z0-9/_.+-]*");

    private final StringBuilder text = new StringBuilder();

    /** The text of a whole file, with what was left out as comments before it. */
    public static String text(Section root, String source, Findings findings) {
        YamlDraft draft = new YamlDraft();
        draft.comment("", "Translated from " + source + " by ./weir migrate.");
        draft.remarks("Not translated:", findings.left());
        draft.remarks("Differs:", findings.notes());
        draft.section(root, "");
        return draft.text.toString();
    }

    private void remarks(String title, List<Findings.Remark> remarks) {
        if (!remarks.isEmpty()) {
            comment("", title);
            remarks.forEach(r -> comment("  ", r.toString()));
        }
    }

    /** A comment of as many lines as it needs. */
    private void comment(String indent, String words) {
        StringBuilder line = new StringBuilder("# ").append(indent);
        int empty = line.length();
        for (String word : printable(words).split(" ", -1)) {
            if (line.length() > empty && line.length() + word.length() > WIDTH) {
                text.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder("#   ").append(indent);
                empty = line.length();
            }
            line.append(word).append(' ');
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private void section(Section section, String indent) {
        section.entries().forEach((key, e) -> entry(key, e, indent));
    }

    private void entry(String key, Section.Entry e, String indent) {
        String start = indent + scalar(key) + ":";
        if (e.value() instanceof Section inner) {
            Place from = inner.from() == null ? e.from() : inner.from();
            line(inner.isEmpty() ? start + " {}" : start, from);
            section(inner, indent + "  ");
        } else if (e.value() instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Section) {
            line(start, e.from());
            list.forEach(item -> item((Section) item, indent + "  "));
        } else if (e.value() instanceof List<?> list) {
            texts(start, list, e.from(), indent);
        } else {
            line(start + " " + scalar(String.valueOf(e.value())), e.from());
        }
    }

    private void texts(String start, List<?> list, @Nullable Place from, String indent) {
        List<String> items = list.stream().map(i -> scalar(String.valueOf(i))).toList();
        String flow = start + " [" + String.join(", ", items) + "]";
        if (flow.length() <= WIDTH - 20 || items.isEmpty()) {
            line(flow, from);
        } else {
            line(start, from);
            items.forEach(i -> line(indent + "  - " + i, null));
        }
    }

    private void item(Section item, String indent) {
        if (item.from() != null) {
            text.append(indent)
                    .append("# ")
                    .append(printable(Findings.where(item.from())))
                    .append('\n');
        }
        int begin = text.length();
        section(item, indent + "  ");
        if (text.length() == begin) {
            text.append(indent).append("- {}\n");
        } else {
            text.replace(begin + indent.length(), begin + indent.length() + 1, "-");
        }
    }

    private void line(String start, @Nullable Place from) {
        text.append(start);
        if (from != null) {
            text.append("  # ").append(printable(Findings.where(from)));
        }
        text.append('\n');
    }

    /** Words that YAML takes for something else are quoted, and all that is not plain. */
    public static String scalar(String value) {
        boolean plain = PLAIN.matcher(value).matches() && !value.endsWith(".") && !value.startsWith(".");
        return plain ? value : quoted(value);
    }

    private static final Map<Character, String> ESCAPES =
            Map.of('"', "\\\"", '\\', "\\\\", '\n', "\\n", '\t', "\\t", '\r', "\\r");

    private static String quoted(String value) {
        return value.chars()
                .mapToObj(c -> c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0) || c == '\ufeff'
                        ? ESCAPES.getOrDefault((char) c, String.format("\\u%04x", c))
                        : ESCAPES.getOrDefault((char) c, String.valueOf((char) c)))
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static String printable(String words) {
        return words.replaceAll("[\\p{Cntrl}\\u2028\\u2029\\ufeff]", "?");
    }

    /** Bytes as Weir writes them. */
    public static String size(long bytes) {
        if (bytes != 0 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "MiB";
        }
        return bytes != 0 && bytes % 1024 == 0 ? (bytes >> 10) + "KiB" : String.valueOf(bytes);
    }
}
