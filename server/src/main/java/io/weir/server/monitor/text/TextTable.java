package io.weir.server.monitor.text;

import java.util.ArrayList;
import java.util.List;

/** A plain text table: columns as wide as their widest cell, two spaces apart. Confined to one report. */
public final class TextTable {
    private static final int LONGEST_CELL = 200;

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    public TextTable(String... header) {
        widths = new int[header.length];
        row(header);
    }

    /**
     * Adds a row; long cells are truncated, control characters shown as question marks, so that a row is one line;
     * empty cells are shown as a dash.
     */
    public void row(String... cells) {
        String[] shown = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            shown[i] = printable(cells[i]);
            widths[i] = Math.max(widths[i], shown[i].length());
        }
        rows.add(shown);
    }

    /** Characters of the widest line. */
    public int width() {
        int width = 2 * (widths.length - 1);
        for (int w : widths) {
            width += w;
        }
        return width;
    }

    /** The number of rows without the header. */
    public int rows() {
        return rows.size() - 1;
    }

    public String text() {
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                out.append(row[i]);
                if (i < row.length - 1) {
                    out.repeat(' ', widths[i] - row[i].length() + 2);
                }
            }
            out.append('\n');
        }
        return out.toString();
    }

    /** A line of text: truncated, control characters as question marks, a dash if empty. */
    public static String printable(String cell) {
        if (cell.isEmpty()) {
            return "-";
        }
        String cut = cell.length() > LONGEST_CELL ? cell.substring(0, LONGEST_CELL - 3) + "..." : cell;
        StringBuilder out = new StringBuilder(cut.length());
        cut.chars().forEach(c -> out.append(Character.isISOControl(c) ? '?' : (char) c));
        return out.toString();
    }
}
