package io.weir.lab.bench.figures;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table whose columns are aligned for readers of the plain text. Confined to its creator. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... heads) {
        rows.add(List.of(heads));
    }

    public Table row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row of another width");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, each with its line end. */
    public String text() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], escaped(row.get(i)).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            line(text, rows.get(i), widths);
            if (i == 0) {
                rule(text, widths);
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> row, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            String cell = escaped(row.get(i));
            text.append("| ")
                    .append(cell)
                    .repeat(' ', widths[i] - cell.length())
                    .append(' ');
        }
        text.append("|\n");
    }

    private static void rule(StringBuilder text, int[] widths) {
        for (int width : widths) {
            text.append('|').repeat('-', width + 2);
        }
        text.append("|\n");
    }

    private static String escaped(String cell) {
        return cell.replace("|", "\\|");
    }
}
