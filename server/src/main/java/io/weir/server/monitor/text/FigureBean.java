package io.weir.server.monitor.text;

import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/** A bean of the declared figures of one object, which is looked up for each request. Shared. */
final class FigureBean<T> extends ReadOnlyBean {
    private final Supplier<@Nullable T> thing;
    private final Map<String, Figure<T>> figures = new LinkedHashMap<>();

    /** @param thing returns null if the object no longer exists */
    FigureBean(FigureGroup<T> group, String description, Supplier<@Nullable T> thing) {
        super(description);
        this.thing = thing;
        group.having(Figure::bean).forEach(f -> figures.put(Objects.requireNonNull(f.bean()), f));
    }

    private static OpenType<?> type(Figure<?> figure) {
        return switch (figure.kind()) {
            case NUMBER -> SimpleType.INTEGER;
            case COUNT -> SimpleType.LONG;
            case DECIMAL -> SimpleType.DOUBLE;
            case FLAG -> SimpleType.BOOLEAN;
            case TEXT -> SimpleType.STRING;
        };
    }

    private static String description(Figure<?> figure) {
        return figure.unit().isEmpty() ? figure.doc() : figure.doc() + " (" + figure.unit() + ")";
    }

    @Override
    public List<OpenMBeanAttributeInfoSupport> attributes() {
        List<OpenMBeanAttributeInfoSupport> all = new ArrayList<>();
        figures.forEach((attribute, figure) -> all.add(
                new OpenMBeanAttributeInfoSupport(attribute, description(figure), type(figure), true, false, false)));
        return all;
    }

    @Override
    public @Nullable Object value(String attribute) {
        Figure<T> figure = figures.get(attribute);
        T now = figure == null ? null : thing.get();
        return figure == null || now == null ? null : figure.value(now);
    }
}
