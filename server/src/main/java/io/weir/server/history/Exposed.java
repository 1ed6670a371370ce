package io.weir.server.history;

import io.weir.base.StatSpec;
import io.weir.server.history.SeriesKey.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps lines of an exposition in Prometheus' text format to series. Immutable. */
final class Exposed {
    /** A series and its value. */
    record Value(SeriesKey series, long value) {}

    private record Meaning(StatSpec spec, Part part) {
        private double scale() {
            return part == Part.EVENTS ? 1 : spec.exposedScale();
        }
    }

    private final Map<String, Meaning> meanings = new HashMap<>();

    Exposed(List<StatSpec> declared) {
        for (StatSpec spec : declared) {
            String name = spec.exposedName();
            switch (spec.kind()) {
                case COUNTER -> meanings.put(name, new Meaning(spec, Part.COUNT));
                case GAUGE -> meanings.put(name, new Meaning(spec, Part.LEVEL));
                case HISTOGRAM -> {
                    meanings.put(name + "_count", new Meaning(spec, Part.EVENTS));
                    meanings.put(name + "_sum", new Meaning(spec, Part.SUM));
                    meanings.put(name + "_bucket", new Meaning(spec, Part.UP_TO));
                }
            }
        }
    }

    /** The value of a line; null if it is undeclared or a duplicate. */
    @Nullable
    Value find(String line, double value) {
        int brace = line.indexOf('{');
        Meaning meaning = meanings.get(brace < 0 ? line : line.substring(0, brace));
        if (meaning == null || Double.isInfinite(value) || Double.isNaN(value)) {
            return null;
        }
        Map<String, String> labels = brace < 0 ? Map.of() : labels(line, brace + 1);
        long bound = 0;
        if (meaning.part() == Part.UP_TO) {
            String le = labels.getOrDefault("le", "+Inf");
            if (le.equals("+Inf")) {
                return null;
            }
            bound = Math.round(Double.parseDouble(le) * meaning.scale());
        }
        List<String> inOrder = new ArrayList<>();
        for (String name : meaning.spec().labels()) {
            inOrder.add(name);
            inOrder.add(labels.getOrDefault(name, ""));
        }
        double scale = meaning.part() == Part.UP_TO ? 1 : meaning.scale();
        return new Value(
                new SeriesKey(meaning.spec().name(), meaning.part(), bound, inOrder), Math.round(value * scale));
    }

    private static Map<String, String> labels(String line, int from) {
        Map<String, String> labels = new HashMap<>();
        int at = from;
        while (at < line.length() && line.charAt(at) != '}') {
            int equals = line.indexOf('=', at);
            StringBuilder value = new StringBuilder();
            int i = equals + 2;
            for (; line.charAt(i) != '"'; i++) {
                char c = line.charAt(i);
                if (c == '\\') {
                    i++;
                    c = line.charAt(i) == 'n' ? '\n' : line.charAt(i);
                }
                value.append(c);
            }
            labels.put(line.substring(at, equals), value.toString());
            at = line.charAt(i + 1) == ',' ? i + 2 : i + 1;
        }
        return labels;
    }
}
