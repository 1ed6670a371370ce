package io.weir.server.history;

import io.weir.server.admin.Json;
import io.weir.server.history.Report.Form;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

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

    /** What the history knows. */
    static String known(List<HistoryArchive.Known> all, Form form) {
        StringBuilder out = new StringBuilder();
        switch (form) {
            case JSON -> {
                out.append('[');
                for (HistoryArchive.Known k : all) {
                    out.append(out.length() == 1 ? "" : ",")
                            .append("{\"metric\":")
                            .append(Json.quote(k.metric()))
                            .append(",\"children\":")
                            .append(k.children())
                            .append(",\"since\":")
                            .append(Json.quote(Instant.ofEpochMilli(k.since()).toString()))
                            .append('}');
                }
                out.append("]\n");
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
        StringBuilder out = new StringBuilder();
        out.append("{\"metric\":").append(Json.quote(question.metric()));
        out.append(",\"unit\":").append(Json.quote(unit));
        out.append(",\"from\":").append(question.from());
        out.append(",\"to\":").append(question.to());
        out.append(",\"step\":").append(question.step()).append(",\"curves\":[");
        for (int i = 0; i < curves.size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"labels\":{");
            List<String> labels = curves.get(i).labels();
            for (int l = 0; l < labels.size(); l += 2) {
                out.append(l == 0 ? "" : ",").append(Json.quote(labels.get(l))).append(':');
                out.append(Json.quote(labels.get(l + 1)));
            }
            out.append('}');
            columns(out, curves.get(i));
            out.append('}');
        }
        return out.append("]}\n").toString();
    }

    private static void columns(StringBuilder out, Curve curve) {
        for (int c = 0; c < curve.columns().size(); c++) {
            out.append(",\"").append(curve.columns().get(c)).append("\":[");
            double[] points = curve.points()[c];
            for (int p = 0; p < points.length; p++) {
                out.append(p == 0 ? "" : ",").append(Double.isNaN(points[p]) ? "null" : plain(points[p]));
            }
            out.append(']');
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
