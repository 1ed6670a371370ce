package io.weir.server.monitor.text;

/** The lines of perfdump's sections behind those of the Sun proxy, in their style. Confined to one report. */
public final class PerfdumpLines {
    private static final int VALUE_COLUMN = 43;

    private final StringBuilder text;

    public PerfdumpLines(StringBuilder text) {
        this.text = text;
    }

    public void table(String title, TextTable table, int count) {
        title(title, table.width());
        text.append(table.text());
        if (count > table.rows()) {
            text.append(table.rows() + " of " + count + " are shown, at most " + table.rows() + "\n");
        }
        blank();
    }

    /** A label and its value, in the columns of ConnectionQueue. */
    public void line(String label, String value) {
        text.append(label).repeat(' ', VALUE_COLUMN - label.length()).append(value);
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
