package io.weir.server.monitor.text;

import io.weir.server.figures.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/** A bean of the figures of one thing, which is looked up for each question. Shared. */
public class FigureBean<T> extends ReadOnlyBean {
    private record Shown<T>(String doc, OpenType<?> type, Function<T, Object> value) {}

    private final Supplier<@Nullable T> thing;
    private final Map<String, Shown<T>> figures = new LinkedHashMap<>();

    /** @param thing null when it is gone */
    public FigureBean(String description, Supplier<@Nullable T> thing) {
        super(description);
        this.thing = thing;
    }

    public final FigureBean<T> number(String attribute, String doc, Function<T, Integer> value) {
        return figure(attribute, doc, SimpleType.INTEGER, value::apply);
    }

    public final FigureBean<T> count(String attribute, String doc, Function<T, Long> value) {
        return figure(attribute, doc, SimpleType.LONG, value::apply);
    }

    public final FigureBean<T> decimal(String attribute, String doc, Function<T, Double> value) {
        return figure(attribute, doc, SimpleType.DOUBLE, value::apply);
    }

    public final FigureBean<T> flag(String attribute, String doc, Function<T, Boolean> value) {
        return figure(attribute, doc, SimpleType.BOOLEAN, value::apply);
    }

    public final FigureBean<T> text(String attribute, String doc, Function<T, String> value) {
        return figure(attribute, doc, SimpleType.STRING, value::apply);
    }

    /** One that is declared for all views. */
    public final void declared(Figure<T> f) {
        OpenType<?> type = switch (f.kind()) {
            case NUMBER -> SimpleType.INTEGER;
            case COUNT -> SimpleType.LONG;
            case DECIMAL -> SimpleType.DOUBLE;
            case FLAG -> SimpleType.BOOLEAN;
            case TEXT -> SimpleType.STRING;
        };
        String unit = f.unit().isEmpty() ? "" : " (" + f.unit() + ")";
        figure(Objects.requireNonNull(f.bean()), f.doc() + unit, type, f::value);
    }

    private FigureBean<T> figure(String attribute, String doc, OpenType<?> type, Function<T, Object> value) {
        figures.put(attribute, new Shown<>(doc, type, value));
        return this;
    }

    @Override
    public final List<OpenMBeanAttributeInfoSupport> attributes() {
        List<OpenMBeanAttributeInfoSupport> all = new ArrayList<>();
        figures.forEach((attribute, figure) ->
                all.add(new OpenMBeanAttributeInfoSupport(attribute, figure.doc(), figure.type(), true, false, false)));
        return all;
    }

    @Override
    public final @Nullable Object value(String attribute) {
        Shown<T> figure = figures.get(attribute);
        T now = figure == null ? null : thing.get();
        return figure == null || now == null ? null : figure.value().apply(now);
    }
}
