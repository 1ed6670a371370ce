package io.weir.server.history;

import io.weir.base.Durations;
import io.weir.base.Nearest;
import io.weir.base.StatSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries of the history: parameters in, text out, the same on the admin listener and on the command line
 * without a server. Shared.
 */
public final class Report {
    /** The forms of an answer. */
    public enum Form {
        TEXT("text/plain; charset=utf-8"),
        JSON("application/json"),
        CSV("text/csv; charset=utf-8");

        private final String type;

        Form(String type) {
            this.type = type;
        }

        /** The media type. */
        public String type() {
            return type;
        }
    }

    /** A query that cannot be answered; the message has the reason and what to do. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean malformed;

        Refused(String message) {
            this(message, true);
        }

        Refused(String message, boolean malformed) {
            super(message);
            this.malformed = malformed;
        }

        /** Whether the query is wrong whatever is recorded. */
        public boolean malformed() {
            return malformed;
        }
    }

    private static final int POINTS = 60;
    private static final int MEANT = 3;
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(36_500);
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final String PREFIX = "weir_";
    private static final String SECONDS = "_seconds";

    private final HistoryArchive archive;
    private final Function<String, @Nullable StatSpec> declared;

    /**
     * @param dataDir the server's data directory
     * @param declared a statistic's declaration by its name
     */
    public Report(Path dataDir, Function<String, @Nullable StatSpec> declared) {
        this.archive = new HistoryArchive(dataDir);
        this.declared = declared;
    }

    /** The form for parameter {@code format}. */
    public static Form form(@Nullable String format) throws Refused {
        return switch (format == null ? "text" : format) {
            case "text" -> Form.TEXT;
            case "json" -> Form.JSON;
            case "csv" -> Form.CSV;
            default -> throw new Refused("format is text, json or csv, not " + format);
        };
    }

    /**
     * The answer.
     *
     * @param parameters {@code metric} (none: what there is), {@code labels} ({@code name=value,…}), {@code since} (a
     *     duration) or {@code from} and {@code to} (times as 2026-01-31T10:00:00Z), {@code step} (a duration), {@code
     *     format}
     * @param now milliseconds since 1970
     * @throws Refused if it cannot be answered
     */
    public String answer(Map<String, String> parameters, long now) throws IOException, Refused {
        Form form = form(parameters.get("format"));
        String metric = parameters.getOrDefault("metric", "");
        if (metric.isEmpty()) {
            var _ = question("", parameters, now);
            return CurveText.known(archive.known(), form);
        }
        Question question = question(name(metric), parameters, now);
        List<Curve> curves;
        try {
            curves = archive.answer(question);
        } catch (TooMany e) {
            throw new Refused(String.valueOf(e.getMessage()), false);
        }
        if (curves.isEmpty()) {
            throw new Refused(nothing(question), false);
        }
        StatSpec spec = declared.apply(question.metric());
        return new CurveText(question, spec == null ? "" : spec.unit()).write(curves, form);
    }

    /** By its own name or that in {@code /metrics}, without the prefix or with it. */
    private String name(String metric) {
        for (String full : List.of(metric, PREFIX + metric)) {
            for (String own : List.of(full, full.replaceFirst(SECONDS + "(_total)?$", "$1"))) {
                StatSpec spec = declared.apply(own);
                if (spec != null && List.of(spec.name(), spec.exposedName()).contains(full)) {
                    return own;
                }
            }
        }
        return metric;
    }

    private String nothing(Question question) throws IOException {
        List<String> names =
                archive.known().stream().map(HistoryArchive.Known::metric).toList();
        if (names.contains(question.metric())) {
            return question.metric() + " has no values" + (question.labels().isEmpty() ? "" : " with these labels")
                    + " between " + Instant.ofEpochMilli(question.from()) + " and "
                    + Instant.ofEpochMilli(question.to());
        }
        if (declared.apply(question.metric()) != null) {
            return question.metric() + " has no sample yet: unless the history is off a row is written each"
                    + " history.interval, and a statistic is in it once it was counted";
        }
        return "the history has no " + question.metric() + meant(question.metric(), names)
                + "; without a name it lists what there is";
    }

    /** Names that contain the same word, or the nearest one. */
    private static String meant(String metric, List<String> names) {
        String word = metric.startsWith(PREFIX) ? metric.substring(PREFIX.length()) : metric;
        List<String> like =
                names.stream().filter(n -> n.contains(word)).limit(MEANT).toList();
        String near = Nearest.of(metric, names);
        if (like.isEmpty() && near == null) {
            return "";
        }
        return " (did you mean " + (like.isEmpty() ? near : String.join(" or ", like)) + "?)";
    }

    private static Question question(String metric, Map<String, String> parameters, long now) throws Refused {
        long to = parameters.containsKey("to") ? time("to", parameters) : now + 1;
        long since = duration("since", parameters.getOrDefault("since", "1h"));
        long from = parameters.containsKey("from") ? time("from", parameters) : to - since;
        if (from >= to) {
            throw new Refused("from must be before to");
        }
        if (from < 0) {
            throw new Refused("since is before 1970: " + parameters.get("since"));
        }
        long step = parameters.containsKey("step")
                ? duration("step", parameters.getOrDefault("step", ""))
                : Math.max(1, (to - from + POINTS - 1) / POINTS);
        if ((to - from + step - 1) / step > Question.MAX_POINTS) {
            throw new Refused("step is too short: more than " + Question.MAX_POINTS + " points");
        }
        return new Question(metric, labels(parameters.getOrDefault("labels", "")), from, to, step);
    }

    private static Map<String, String> labels(String text) throws Refused {
        Map<String, String> labels = new HashMap<>();
        for (String label : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = label.indexOf('=');
            if (equals <= 0) {
                throw new Refused("labels are name=value, with a comma between them: " + text);
            }
            labels.put(label.substring(0, equals), label.substring(equals + 1));
        }
        return labels;
    }

    private static long duration(String name, String text) throws Refused {
        try {
            Duration duration = Durations.parse(text);
            if (duration.compareTo(LEAST) < 0) {
                throw new Refused(name + " must be at least 1ms: " + text);
            }
            if (duration.compareTo(MOST) > 0) {
                throw new Refused(name + " must be at most " + MOST.toDays() + "d: " + text);
            }
            return duration.toMillis();
        } catch (IllegalArgumentException e) {
            throw new Refused(name + ": " + e.getMessage());
        }
    }

    private static long time(String name, Map<String, String> parameters) throws Refused {
        String text = parameters.getOrDefault(name, "");
        try {
            Instant instant = Instant.parse(text);
            if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LAST)) {
                throw new Refused(name + " is a time from 1970 to 9999, not " + text);
            }
            return instant.toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new Refused(name + " is a time such as 2026-01-31T10:00:00Z, not " + text);
        }
    }
}
