package io.weir.server.cli.text;

import io.weir.base.Printable;
import java.util.Arrays;
import java.util.List;

/** Rows as text: columns as wide as their widest cell, two spaces apart. Stateless. */
public final class Columns {
    private Columns() {}

    public static String of(List<String[]> raw) {
        List<String[]> rows = printable(raw);
        int columns = rows.getFirst().length;
        int[] widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < columns - 1; i++) {
                out.append(row[i]).repeat(' ', widths[i] - row[i].length() + 2);
            }
            out.append(row[columns - 1]).append('\n');
        }
        return out.toString();
    }

    /** The rows with cells that are words of a line each, whatever clients put into them. */
    public static List<String[]> printable(List<String[]> rows) {
        return rows.stream()
                .map(row -> Arrays.stream(row).map(Printable::word).toArray(String[]::new))
                .toList();
    }
}
