package io.weir.server.history;

import io.weir.server.history.Report.Form;
import io.weir.server.json.Json;
import io.weir.server.json.Layout;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Curves as text with a line of bars each, as JSON, and as CSV. Immutable. */
final class CurveText {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final double THOUSAND = 1000;
    private static final double NANOS = 1e9;

    private final Question question;
    private final String unit;

    CurveText(Question question, String unit) {
        this.question = question;
        this.unit = unit;
    }

    /** The list of the statistics in the history. */
    static String known(List<HistoryArchive.Known> all, Form form) {
        StringBuilder out = new StringBuilder();
        switch (form) {
            case JSON -> {
                return Json.rows(
                        Layout.FLAT,
                        all,
                        (k, to) -> to.add("metric", k.metric())
                                .add("children", k.children())
                                .add("since", Instant.ofEpochMilli(k.since()).toString()));
            }
            case CSV -> {
                out.append("metric,children,since\n");
                all.forEach(k ->
                        out.append(k.metric() + "," + k.children() + "," + Instant.ofEpochMilli(k.since()) + "\n"));
            }
            case TEXT ->
                all.forEach(k -> out.append(String.format(
                        Locale.ROOT,
                        "%-56s %5d  since %s%n",
                        k.metric(),
                        k.children(),
                        Instant.ofEpochMilli(k.since()).truncatedTo(ChronoUnit.SECONDS))));
        }
        return out.toString();
    }

    String write(List<Curve> curves, Form form) {
        return switch (form) {
            case TEXT -> text(curves);
            case JSON -> json(curves);
            case CSV -> csv(curves);
        };
    }

    private String text(List<Curve> curves) {
        StringBuilder out = new StringBuilder();
        out.append(question.metric())
                .append("  ")
                .append(seconds(question.from()))
                .append(" to ")
                .append(seconds(question.to()))
                .append(", ")
                .append(question.points())
                .append(" points\n");
        for (Curve curve : curves) {
            if (!curve.labels().isEmpty()) {
                out.append(labels(curve)).append('\n');
            }
            for (int c = 0; c < curve.columns().size(); c++) {
                String column = curve.columns().get(c);
                out.append(line(column, curve.points()[c], column.equals("rate") ? rateUnit() : unit));
            }
        }
        return out.toString();
    }

    private static String labels(Curve curve) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < curve.labels().size(); i += 2) {
            out.append(i == 0 ? "" : " ")
                    .append(curve.labels().get(i))
                    .append('=')
                    .append(curve.labels().get(i + 1));
        }
        return out.toString();
    }

    private String rateUnit() {
        return (unit.equals("nanoseconds") ? "" : unit) + "/s";
    }

    private static Instant seconds(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
    }

    private static String line(String column, double[] points, String unit) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double sum = 0;
        double last = Double.NaN;
        int known = 0;
        for (double p : points) {
            if (!Double.isNaN(p)) {
                least = Math.min(least, p);
                most = Math.max(most, p);
                sum += p;
                last = p;
                known++;
            }
        }
        if (known == 0) {
            return String.format(Locale.ROOT, "  %-5s nothing is known%n", column);
        }
        return String.format(
                Locale.ROOT,
                "  %-5s %s  least %s, mean %s, most %s, last %s %s%n",
                column,
                bars(points, most),
                number(least, unit),
                number(sum / known, unit),
                number(most, unit),
                number(last, unit),
                unit.equals("nanoseconds") ? "" : unit);
    }

    private static String bars(double[] points, double most) {
        StringBuilder out = new StringBuilder();
        for (double p : points) {
            if (Double.isNaN(p)) {
                out.append(' ');
            } else {
                int level = most <= 0 ? 0 : (int) Math.ceil(Math.max(0, p) / most * BARS.length()) - 1;
                out.append(BARS.charAt(Math.clamp(level, 0, BARS.length() - 1)));
            }
        }
        return out.toString();
    }

    private static String number(double value, String unit) {
        if (unit.equals("nanoseconds")) {
            return time(value);
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
    }

    private static String time(double nanos) {
        double value = nanos;
        String[] units = {"ns", "us", "ms"};
        for (String u : units) {
            if (Math.abs(value) < THOUSAND) {
                return String.format(Locale.ROOT, "%.3g %s", value, u);
            }
            value /= THOUSAND;
        }
        return String.format(Locale.ROOT, "%.3f s", nanos / NANOS);
    }

    private String json(List<Curve> curves) {
        return Json.object(j -> j.add("metric", question.metric())
                .add("unit", unit)
                .add("from", question.from())
                .add("to", question.to())
                .add("step", question.step())
                .array("curves", curves, CurveText::curve));
    }

    private static void curve(Curve curve, Json to) {
        to.object("labels", j -> {
            List<String> labels = curve.labels();
            for (int l = 0; l < labels.size(); l += 2) {
                j.add(labels.get(l), labels.get(l + 1));
            }
        });
        for (int c = 0; c < curve.columns().size(); c++) {
            List<@Nullable String> points = new ArrayList<>();
            for (double point : curve.points()[c]) {
                points.add(Double.isNaN(point) ? null : plain(point));
            }
            to.numbers(curve.columns().get(c), points);
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6g", value);
    }

    private String csv(List<Curve> curves) {
        StringBuilder out = new StringBuilder("time,labels,")
                .append(String.join(",", curves.getFirst().columns()))
                .append('\n');
        for (Curve curve : curves) {
            String labels = "\"" + labels(curve).replace("\"", "\"\"") + "\"";
            for (int p = 0; p < question.points(); p++) {
                out.append(Instant.ofEpochMilli(question.from() + p * question.step()))
                        .append(',')
                        .append(labels);
                for (double[] column : curve.points()) {
                    out.append(',').append(Double.isNaN(column[p]) ? "" : plain(column[p]));
                }
                out.append('\n');
            }
        }
        return out.toString();
    }
}
