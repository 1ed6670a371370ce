package io.weir.server.monitor.text;

/** The lines of perfdump's sections, in the style of the Sun proxy. Confined to one report. */
public final class PerfdumpLines {
    private static final int VALUE_COLUMN = 43;

    private final StringBuilder text;
    private final int column;

    /** Aligns values with the column of ConnectionQueue's. */
    public PerfdumpLines(StringBuilder text) {
        this(text, VALUE_COLUMN);
    }

    /** @param column of values, from 0 */
    public PerfdumpLines(StringBuilder text, int column) {
        this.text = text;
        this.column = column;
    }

    /** A title; its dashes end two characters before the values. */
    public void section(String title) {
        title(title, column - 2);
    }

    public void table(String title, TextTable table, int count) {
        title(title, table.width());
        text.append(table.text());
        if (count > table.rows()) {
            text.append(table.rows() + " of " + count + " are shown, at most " + table.rows() + "\n");
        }
        blank();
    }

    /** A label and its value. */
    public void line(String label, String value) {
        text.append(label).repeat(' ', column - label.length()).append(value);
        blank();
    }

    public void line(String label, long value) {
        line(label, Long.toString(value));
    }

    public void title(String title, int dashes) {
        text.append(title).append('\n').repeat('-', dashes).append('\n');
    }

    public void blank() {
        text.append('\n');
    }

    public static String yes(boolean flag) {
        return flag ? "yes" : "no";
    }

    public static String number(long number) {
        return Long.toString(number);
    }
}
