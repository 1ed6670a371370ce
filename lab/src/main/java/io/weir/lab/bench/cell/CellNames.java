package io.weir.lab.bench.cell;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Selects cells by patterns of their names, in which {@code *} stands for any letters. Stateless. */
public final class CellNames {
    private CellNames() {}

    /**
     * The cells that one of the patterns matches, in the matrix's order.
     *
     * @throws IllegalArgumentException if a pattern matches none
     */
    public static List<Cell> select(List<String> patterns) {
        Set<Cell> chosen = new LinkedHashSet<>();
        for (String pattern : patterns) {
            List<Cell> found =
                    Cell.all().stream().filter(c -> matches(pattern, c.name())).toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no cell is named `" + pattern
                        + "`; a name is protocol-work-size such as h2-hit-1k, of "
                        + parts(c -> c.protocol().key()) + "; "
                        + parts(c -> c.work().key()) + "; "
                        + parts(c -> c.size().key()));
            }
            chosen.addAll(found);
        }
        List<Cell> ordered = new ArrayList<>(Cell.all());
        ordered.retainAll(chosen);
        return ordered;
    }

    private static String parts(Function<Cell, String> part) {
        return String.join(", ", Cell.all().stream().map(part).distinct().toList());
    }

    private static boolean matches(String pattern, String name) {
        StringBuilder regex = new StringBuilder();
        for (String literal : pattern.split("\\*", -1)) {
            regex.append(regex.isEmpty() ? "" : ".*").append(literal.isEmpty() ? "(?:)" : Pattern.quote(literal));
        }
        return name.matches(regex.toString());
    }
}
