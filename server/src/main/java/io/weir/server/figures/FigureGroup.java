package io.weir.server.figures;

import io.weir.base.StatSpec;
import io.weir.server.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one kind of thing, in the order in which views show them. Immutable.
 *
 * @param <T> the record that they are read from
 * @param title for people
 * @param element of stats-xml; empty: none
 * @param bean type over JMX; null: none
 * @param section title in perfdump; empty: none
 * @param figures in the order of perfdump
 * @param written the same in the order of stats-xml
 * @param json the same in the order of JSON
 */
public record FigureGroup<T>(
        String title,
        String element,
        @Nullable String bean,
        String section,
        List<Figure<T>> figures,
        List<Figure<T>> written,
        List<Figure<T>> json) {
    private static final String TABLE = """
            .

            | perfdump | stats-xml | JMX | JSON | unit | statistic | what it is |
            |---|---|---|---|---|---|---|
            """;

    public FigureGroup {
        figures = List.copyOf(figures);
        written = List.copyOf(written);
        json = List.copyOf(json);
    }

    /** One order for all views. */
    public FigureGroup(String title, String element, @Nullable String bean, String section, List<Figure<T>> figures) {
        this(title, element, bean, section, figures, figures, figures);
    }

    /** Moves an attribute in stats-xml and JSON before another one, or, if that is null, to the end. */
    public FigureGroup<T> writing(String attribute, @Nullable String before) {
        return new FigureGroup<>(
                title,
                element,
                bean,
                section,
                figures,
                moved(written, attribute, before),
                moved(json, attribute, before));
    }

    /** The same in JSON alone. */
    public FigureGroup<T> inJson(String attribute, @Nullable String before) {
        return new FigureGroup<>(title, element, bean, section, figures, written, moved(json, attribute, before));
    }

    private static <T> List<Figure<T>> moved(List<Figure<T>> all, String attribute, @Nullable String before) {
        List<Figure<T>> order = new ArrayList<>(all);
        Figure<T> moved = order.remove(place(order, attribute));
        order.add(before == null ? order.size() : place(order, before), moved);
        return order;
    }

    private static <T> int place(List<Figure<T>> order, String attribute) {
        for (int i = 0; i < order.size(); i++) {
            if (attribute.equals(order.get(i).attribute())) {
                return i;
            }
        }
        throw new IllegalArgumentException("no figure has the attribute " + attribute);
    }

    /** The figures that have a place in a view. */
    public List<Figure<T>> having(Function<Figure<T>, @Nullable String> place) {
        return figures.stream().filter(f -> place.apply(f) != null).toList();
    }

    /** The same in the order of stats-xml. */
    public List<Figure<T>> writing(Function<Figure<T>, @Nullable String> place) {
        return written.stream().filter(f -> place.apply(f) != null).toList();
    }

    /** The attributes of its element in the document type of stats-xml. */
    public String attributeList() {
        StringBuilder text = new StringBuilder("<!ATTLIST ").append(element);
        for (Figure<T> f : writing(Figure::attribute)) {
            text.append("\n    ").append(f.attribute()).append(' ').append(f.attributeType());
        }
        return text.append(">\n").toString();
    }

    /** The members of its object in JSON. */
    public void members(T of, Json to) {
        List<Figure<T>> all = json.stream().filter(f -> f.member() != null).toList();
        int next = 0;
        while (next < all.size()) {
            String within = within(all.get(next));
            int end = next;
            while (end < all.size() && within(all.get(end)).equals(within)) {
                end++;
            }
            List<Figure<T>> together = all.subList(next, end);
            if (within.isEmpty()) {
                together.forEach(f -> member(f, of, to));
            } else {
                to.object(within, object -> together.forEach(f -> member(f, of, object)));
            }
            next = end;
        }
    }

    /** The object in which a figure stands; empty: that of the group. */
    private static String within(Figure<?> figure) {
        String path = Objects.requireNonNull(figure.member());
        return path.substring(0, Math.max(0, path.indexOf('.')));
    }

    private static <T> void member(Figure<T> figure, T of, Json to) {
        String path = Objects.requireNonNull(figure.member());
        String name = path.substring(path.indexOf('.') + 1);
        Object value = figure.json(of);
        switch (value) {
            case String s -> to.add(name, s);
            case Boolean b -> to.add(name, b);
            case Double d -> to.add(name, d);
            case BigDecimal d -> to.plain(name, d.doubleValue());
            case Number n -> to.add(name, n.longValue());
            default -> throw new IllegalStateException(name + " is a " + value.getClass());
        }
    }

    /**
     * A table for docs/figures.md: what each is, its place and its unit in each view.
     *
     * @param exposed the name of a statistic in {@code /metrics}
     */
    public String reference(Function<StatSpec, String> exposed) {
        List<String> views = new ArrayList<>();
        if (!section.isEmpty()) {
            views.add("in perfdump `" + section + "`");
        }
        if (!element.isEmpty()) {
            views.add("in stats-xml `" + element + "`");
        }
        if (bean != null) {
            views.add("over JMX `" + bean + "`");
        }
        String where = String.join(", ", views);
        StringBuilder text = new StringBuilder("\n## " + title + "\n\n")
                .append(Character.toUpperCase(where.charAt(0)))
                .append(where, 1, where.length())
                .append(TABLE);
        for (Figure<T> f : figures) {
            StatSpec statistic = f.statistic();
            List<String> cells = new ArrayList<>();
            cells.add(f.column() != null ? f.column() : f.line() == null ? "" : f.line());
            cells.add(code(f.attribute()));
            cells.add(code(f.bean()));
            cells.add(code(f.member()));
            String name = statistic == null ? null : exposed.apply(statistic);
            cells.add(units(f, name));
            cells.add(code(name));
            cells.add(f.doc());
            text.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
        return text.toString();
    }

    /** One unit, or that of each view where they differ. */
    private static String units(Figure<?> f, @Nullable String exposed) {
        Map<String, String> units = new LinkedHashMap<>();
        if (f.column() != null || f.line() != null) {
            units.put("perfdump", f.shownUnit());
        }
        if (f.attribute() != null) {
            units.put("stats-xml", f.writtenUnit());
        }
        if (f.bean() != null) {
            units.put("JMX", f.unit());
        }
        if (f.member() != null) {
            units.put("JSON", f.jsonUnit());
        }
        if (exposed != null) {
            units.put("`/metrics`", exposed.endsWith("_seconds") ? "seconds" : f.unit());
        }
        if (units.values().stream().distinct().count() == 1) {
            return units.values().iterator().next();
        }
        return units.entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining("; "));
    }

    private static String code(@Nullable String name) {
        return name == null ? "" : "`" + name + "`";
    }
}
