package io.weir.server.monitor.text;

import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** Writes declared figures for each view. Stateless. */
public final class FigureViews {
    private FigureViews() {}

    /** An element without others in it. */
    public static <T> void element(FigureGroup<T> group, T of, XmlOut xml) throws XMLStreamException {
        xml.empty(group.element());
        attributes(group, of, xml);
    }

    /** An element for each, if such elements are requested. */
    public static <T> void elements(FigureGroup<T> group, List<T> things, Predicate<String> on, XmlOut xml)
            throws XMLStreamException {
        if (on.test(group.element())) {
            for (T thing : things) {
                element(group, thing, xml);
            }
        }
    }

    /** The attributes of the element that was started. */
    public static <T> void attributes(FigureGroup<T> group, T of, XmlOut xml) throws XMLStreamException {
        for (Figure<T> f : group.writing(Figure::attribute)) {
            String name = Objects.requireNonNull(f.attribute());
            switch (f.written(of)) {
                case Boolean flag -> xml.attribute(name, flag);
                case String text -> xml.attribute(name, text);
                case Number n -> xml.attribute(name, n.longValue());
                default -> throw new IllegalStateException(name + " is neither number nor text");
            }
        }
    }

    /** A section of perfdump. */
    public static <T> void section(FigureGroup<T> group, T of, PerfdumpLines out) {
        out.section(group.section());
        lines(group, of, out);
        out.blank();
    }

    /** Lines of a section of perfdump. */
    public static <T> void lines(FigureGroup<T> group, T of, PerfdumpLines out) {
        lines(group.figures(), of, out);
    }

    /** Lines of figures in a section of perfdump. */
    public static <T> void lines(List<Figure<T>> figures, T of, PerfdumpLines out) {
        String label = "";
        StringBuilder text = new StringBuilder();
        for (Figure<T> f : figures) {
            if (f.line() == null) {
                continue;
            }
            String next = Objects.requireNonNull(f.line());
            if (next.equals(label)) {
                text.append('/');
            } else {
                line(label, text, out);
                label = next;
            }
            text.append(f.shown(of));
        }
        line(label, text, out);
    }

    private static void line(String label, StringBuilder text, PerfdumpLines out) {
        if (!text.isEmpty()) {
            out.line(label, TextTable.printable(text.toString()));
        }
        text.setLength(0);
    }

    /**
     * A table of perfdump.
     *
     * @param rows the rows that are shown
     * @param count the number of all rows
     */
    public static <T> void table(FigureGroup<T> group, List<T> rows, int count, PerfdumpLines out) {
        List<Figure<T>> columns = group.having(Figure::column);
        TextTable table = new TextTable(columns.stream().map(Figure::column).toArray(String[]::new));
        for (T row : rows) {
            table.row(columns.stream().map(f -> f.shown(row)).toArray(String[]::new));
        }
        out.table(group.section(), table, count);
    }

    /**
     * The group's figures as a bean.
     *
     * @param thing the object of the figures; returns null if it no longer exists
     */
    public static <T> ReadOnlyBean bean(FigureGroup<T> group, String description, Supplier<@Nullable T> thing) {
        return new FigureBean<>(group, description, thing);
    }
}
