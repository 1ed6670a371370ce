package io.weir.server.monitor.source;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges the figures of several processes, for any kind of record: numbers are added, except for those that are the
 * same in all, of which the largest is taken; lists of records are joined by their texts, so that records that differ
 * in a text are separate rows; of other values the first process's is taken. Stateless.
 */
public final class Merged {
    /** Figures that are the same in all processes, and times. */
    private static final Set<String> MAXIMA = Set.of(
            "pid",
            "serverStarted",
            "processStarted",
            "configurations",
            "timeOutSeconds",
            "maxAgeSeconds",
            "entryOverhead",
            "maxObjectBytes",
            "owners",
            "share",
            "weight",
            "since",
            "expires");

    private Merged() {}

    /** Merges several records of the same kind; at least one. */
    @SuppressWarnings("unchecked") // the constructor is that of the first one's class
    public static <R> R of(List<R> all) {
        R first = all.getFirst();
        RecordComponent[] parts = first.getClass().getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[parts.length];
        Class<?>[] types = new Class<?>[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                List<@Nullable Object> each = new ArrayList<>();
                for (R one : all) {
                    each.add(parts[i].getAccessor().invoke(one));
                }
                types[i] = parts[i].getType();
                values[i] = join(parts[i].getName(), each);
            }
            return (R) first.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException(first.getClass() + " is not a record of public figures", e);
        }
    }

    private static @Nullable Object join(String name, List<@Nullable Object> each) {
        Object first = each.getFirst();
        boolean most = MAXIMA.contains(name);
        return switch (first) {
            case Long _ ->
                most
                        ? each.stream()
                                .mapToLong(v -> (Long) Objects.requireNonNull(v))
                                .max()
                                .orElse(0)
                        : each.stream()
                                .mapToLong(v -> (Long) Objects.requireNonNull(v))
                                .sum();
            case Integer _ ->
                most
                        ? each.stream()
                                .mapToInt(v -> (Integer) Objects.requireNonNull(v))
                                .max()
                                .orElse(0)
                        : each.stream()
                                .mapToInt(v -> (Integer) Objects.requireNonNull(v))
                                .sum();
            case Double _ ->
                each.stream()
                        .mapToDouble(v -> (Double) Objects.requireNonNull(v))
                        .sum();
            case Boolean _ -> each.contains(true);
            case String _ ->
                String.join("/", each.stream().map(String::valueOf).distinct().toList());
            case Record _ -> of(each.stream().map(Merged::there).toList());
            case List<?> _ -> rows(each);
            case null, default -> first;
        };
    }

    /** A record of the first process is present in all. */
    private static Object there(@Nullable Object value) {
        return Objects.requireNonNull(value);
    }

    private static List<?> rows(List<@Nullable Object> each) {
        Map<List<String>, List<Object>> same = new LinkedHashMap<>();
        for (Object list : each) {
            for (Object row : (List<?>) Objects.requireNonNull(list)) {
                if (!(row instanceof Record r)) {
                    return (List<?>) Objects.requireNonNull(each.getFirst());
                }
                same.computeIfAbsent(words(r), _ -> new ArrayList<>()).add(r);
            }
        }
        return same.values().stream().map(Merged::of).toList();
    }

    private static List<String> words(Record row) {
        return Arrays.stream(row.getClass().getRecordComponents())
                .filter(c -> c.getType() == String.class || c.getType().isEnum())
                .map(c -> {
                    try {
                        return String.valueOf(c.getAccessor().invoke(row));
                    } catch (IllegalAccessException | InvocationTargetException e) {
                        throw new IllegalStateException(row.getClass() + " is not a record of public figures", e);
                    }
                })
                .toList();
    }
}
