package io.weir.server.figures;

import io.weir.base.StatSpec;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A figure of one kind of thing, declared once for all views: what it is, its source, and its place in each view. A
 * view in which it has no place does not show it. Immutable; the methods that give it a place return another one.
 *
 * @param <T> the record that it is read from
 */
public final class Figure<T> {
    /** The unit of a point in time that a view writes as a text, by ISO 8601. */
    public static final String DATE = "date and time";

    /** The type of its values. */
    public enum Kind {
        /** An {@code int}. */
        NUMBER,
        /** A {@code long}. */
        COUNT,
        /** A {@code double}. */
        DECIMAL,
        FLAG,
        TEXT
    }

    /** The statistic of the registry that it is, or is a sum of. */
    private record Origin(String unit, String doc, @Nullable StatSpec statistic) {}

    /** Its place in each view; null if it has none. Changed only while a figure is declared. */
    private static final class Places<T> {
        private @Nullable String attribute;
        private List<String> words = List.of();
        private boolean implied;
        private @Nullable Function<T, Object> written;
        private @Nullable String bean;
        private @Nullable String column;
        private @Nullable String line;
        private @Nullable Function<T, String> cell;
        private @Nullable String member;
        private @Nullable Function<T, Object> json;
        private @Nullable String writtenUnit;
        private @Nullable String shownUnit;
        private @Nullable String jsonUnit;

        Places<T> copy() {
            Places<T> copy = new Places<>();
            copy.attribute = attribute;
            copy.words = words;
            copy.implied = implied;
            copy.written = written;
            copy.bean = bean;
            copy.column = column;
            copy.line = line;
            copy.cell = cell;
            copy.member = member;
            copy.json = json;
            copy.writtenUnit = writtenUnit;
            copy.shownUnit = shownUnit;
            copy.jsonUnit = jsonUnit;
            return copy;
        }
    }

    private final Kind kind;
    private final Function<T, Object> value;
    private final Origin origin;
    private final Places<T> places;

    private Figure(Kind kind, Function<T, Object> value, Origin origin, Places<T> places) {
        this.kind = kind;
        this.value = value;
        this.origin = origin;
        this.places = places;
    }

    private static <T> Figure<T> of(Kind kind, Origin origin, Function<T, Object> value) {
        return new Figure<>(kind, value, origin, new Places<>());
    }

    public static <T> Figure<T> number(String unit, String doc, Function<T, Integer> value) {
        return of(Kind.NUMBER, new Origin(unit, doc, null), value::apply);
    }

    public static <T> Figure<T> count(String unit, String doc, Function<T, Long> value) {
        return of(Kind.COUNT, new Origin(unit, doc, null), value::apply);
    }

    /** A statistic of the registry; unit and description are those of its declaration. */
    public static <T> Figure<T> count(StatSpec statistic, Function<T, Long> value) {
        return of(Kind.COUNT, new Origin(statistic.unit(), statistic.doc(), statistic), value::apply);
    }

    /** A statistic of the registry that fits an {@code int}. */
    public static <T> Figure<T> number(StatSpec statistic, Function<T, Integer> value) {
        return of(Kind.NUMBER, new Origin(statistic.unit(), statistic.doc(), statistic), value::apply);
    }

    public static <T> Figure<T> decimal(String unit, String doc, Function<T, Double> value) {
        return of(Kind.DECIMAL, new Origin(unit, doc, null), value::apply);
    }

    public static <T> Figure<T> flag(String doc, Function<T, Boolean> value) {
        return of(Kind.FLAG, new Origin("", doc, null), value::apply);
    }

    public static <T> Figure<T> text(String doc, Function<T, String> value) {
        return of(Kind.TEXT, new Origin("", doc, null), value::apply);
    }

    private Figure<T> placed(Consumer<Places<T>> change) {
        Places<T> next = places.copy();
        change.accept(next);
        return new Figure<>(kind, value, origin, next);
    }

    /**
     * In stats-xml: an attribute of the group's element.
     *
     * @param words the possible values; none: any text
     */
    public Figure<T> attribute(String name, String... words) {
        return placed(p -> {
            p.attribute = name;
            p.words = List.of(words);
        });
    }

    /** In stats-xml in another form than elsewhere; the unit is the same. */
    public Figure<T> attribute(String name, Function<T, Object> written) {
        return placed(p -> {
            p.attribute = name;
            p.written = written;
        });
    }

    /** In stats-xml in another unit of time than elsewhere, rounded down. */
    public Figure<T> attribute(String name, TimeUnit unit) {
        return placed(p -> {
            p.attribute = name;
            p.writtenUnit = name(unit);
            p.written = in(unit);
        });
    }

    /** In stats-xml in ticks. */
    public Figure<T> ticks(String name) {
        return attribute(name, Texts.TICK);
    }

    /** In the document type of stats-xml its attribute is optional. */
    public Figure<T> implied() {
        return placed(p -> p.implied = true);
    }

    /** Over JMX: an attribute of the group's bean. */
    public Figure<T> bean(String name) {
        return placed(p -> p.bean = name);
    }

    /** In perfdump: a column of the group's table. */
    public Figure<T> column(String title) {
        return placed(p -> p.column = title);
    }

    /** In perfdump: a column with cells of another form. */
    public Figure<T> column(String title, Function<T, String> cell) {
        return placed(p -> {
            p.column = title;
            p.cell = cell;
        });
    }

    /** In perfdump: a column with cells in another unit. */
    public Figure<T> column(String title, String unit, Function<T, String> cell) {
        return column(title, cell).placed(p -> p.shownUnit = unit);
    }

    /** In perfdump: a line of the group's section; figures that follow each other with one label share it, with slashes. */
    public Figure<T> line(String label) {
        return placed(p -> p.line = label);
    }

    /** In perfdump: a line of another form; an empty one is left out. */
    public Figure<T> line(String label, Function<T, String> text) {
        return placed(p -> {
            p.line = label;
            p.cell = text;
        });
    }

    /** In perfdump: a line in another unit. */
    public Figure<T> line(String label, String unit, Function<T, String> text) {
        return line(label, text).placed(p -> p.shownUnit = unit);
    }

    /** In JSON: a member of the group's object; with a dot, of an object in it. */
    public Figure<T> member(String name) {
        return placed(p -> p.member = name);
    }

    /** In JSON in another form than elsewhere; the unit is the same. */
    public Figure<T> member(String name, Function<T, Object> json) {
        return placed(p -> {
            p.member = name;
            p.json = json;
        });
    }

    /** In JSON in another unit than elsewhere. */
    public Figure<T> member(String name, String unit, Function<T, Object> json) {
        return member(name, json).placed(p -> p.jsonUnit = unit);
    }

    /** In JSON in another unit of time than elsewhere, rounded down. */
    public Figure<T> member(String name, TimeUnit unit) {
        return member(name, name(unit), in(unit));
    }

    private Function<T, Object> in(TimeUnit unit) {
        TimeUnit own = TimeUnit.valueOf(origin.unit.toUpperCase(Locale.ROOT));
        return t -> unit.convert(((Number) value.apply(t)).longValue(), own);
    }

    private static String name(TimeUnit unit) {
        return unit.name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    /** An Integer, Long, Double, Boolean or String, by its kind. */
    public Object value(T of) {
        return value.apply(of);
    }

    /** The unit of numbers, over JMX and in each view that has no other one; empty for others. */
    public String unit() {
        return origin.unit;
    }

    /** The unit in stats-xml. */
    public String writtenUnit() {
        return places.writtenUnit == null ? origin.unit : places.writtenUnit;
    }

    /** The unit in perfdump. */
    public String shownUnit() {
        return places.shownUnit == null ? origin.unit : places.shownUnit;
    }

    /** The unit in JSON. */
    public String jsonUnit() {
        return places.jsonUnit == null ? origin.unit : places.jsonUnit;
    }

    public String doc() {
        return origin.doc;
    }

    /** The statistic of the registry that it shows; null if it is counted elsewhere. */
    public @Nullable StatSpec statistic() {
        return origin.statistic;
    }

    /** Its attribute in stats-xml, or null. */
    public @Nullable String attribute() {
        return places.attribute;
    }

    /** Its value in stats-xml: a Number, Boolean or String. */
    public Object written(T of) {
        return places.written == null ? value(of) : places.written.apply(of);
    }

    /** Its type in the document type of stats-xml, and whether it is required. */
    String attributeType() {
        String type = kind == Kind.FLAG
                ? "(0|1)"
                : places.words.isEmpty() ? "CDATA" : "(" + String.join("|", places.words) + ")";
        return type + (places.implied ? " #IMPLIED" : " #REQUIRED");
    }

    /** Its attribute over JMX, or null. */
    public @Nullable String bean() {
        return places.bean;
    }

    /** Its column in perfdump, or null. */
    public @Nullable String column() {
        return places.column;
    }

    /** The label of its line in perfdump, or null. */
    public @Nullable String line() {
        return places.line;
    }

    /** Its text in perfdump. */
    public String shown(T of) {
        if (places.cell != null) {
            return places.cell.apply(of);
        }
        Object v = value(of);
        return v instanceof Boolean b ? (b ? "yes" : "no") : v.toString();
    }

    /** Its value in JSON: a Number, Boolean or String. */
    Object json(T of) {
        return places.json == null ? value(of) : places.json.apply(of);
    }

    /** Its member in JSON, or null. */
    public @Nullable String member() {
        return places.member;
    }
}
