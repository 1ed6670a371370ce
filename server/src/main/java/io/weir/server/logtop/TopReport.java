package io.weir.server.logtop;

import io.weir.server.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A summary as a page of text or as JSON. Immutable; lives for one page. */
final class TopReport {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
    private static final int SHOWN_MINUTES = 60;
    private static final List<String> CLASSES = List.of("none", "1xx", "2xx", "3xx", "4xx", "5xx");

    private final Summary summary;
    private final int lines;
    private final ZoneId zone;

    TopReport(Summary summary, int lines, ZoneId zone) {
        this.summary = summary;
        this.lines = lines;
        this.zone = zone;
    }

    String text() {
        Formatter out = new Formatter(Locale.ROOT);
        out.format("%d records, %d bytes of content\n", summary.records(), summary.bytes());
        if (summary.unreadLines() > 0) {
            out.format("%d lines are not records of the file's format\n", summary.unreadLines());
        }
        section(out, "Busiest hosts:", "Requests  Share  Host");
        for (SpaceSaving.Entry e : summary.clients().heaviest(lines)) {
            out.format("%8s %5.1f%%  %s\n", about(e), share(e.weight(), summary.clients()), printable(e.key()));
        }
        section(out, "Busiest URLs:", "Requests  Share  URL");
        for (SpaceSaving.Entry e : summary.urls().heaviest(lines)) {
            out.format("%8s %5.1f%%  %s\n", about(e), share(e.weight(), summary.urls()), printable(e.key()));
        }
        if (summary.timed()) {
            times(out);
        }
        section(
                out,
                "Status by minute" + (summary.minutes().size() > SHOWN_MINUTES ? " (the last hour):" : ":"),
                "Minute                 2xx      3xx      4xx      5xx    other");
        summary.minutes().descendingMap().entrySet().stream()
                .limit(SHOWN_MINUTES)
                .toList()
                .reversed()
                .forEach(m -> minute(out, m.getKey(), m.getValue()));
        return out.toString();
    }

    private void times(Formatter out) {
        section(out, "Slowest URLs:", "   Slowest ms  URL");
        for (Map.Entry<String, Long> e : summary.slowest().first(lines)) {
            out.format("%13.3f  %s\n", e.getValue() / 1000.0, printable(e.getKey()));
        }
        section(out, "URLs that took the most time:", "     Total s  Share    Mean ms  URL");
        for (SpaceSaving.Entry e : summary.time().heaviest(lines)) {
            out.format(
                    "%12.3f %5.1f%% %10.3f  %s\n",
                    e.weight() / 1e6, share(e.weight(), summary.time()), mean(e) / 1000.0, printable(e.key()));
        }
    }

    private static long mean(SpaceSaving.Entry e) {
        return (e.weight() - e.error()) / Math.max(1, e.count());
    }

    private void minute(Formatter out, long minute, long[] n) {
        out.format(
                "%s  %8d %8d %8d %8d %8d\n",
                MINUTE.format(Instant.ofEpochSecond(minute * 60).atZone(zone)), n[2], n[3], n[4], n[5], n[0] + n[1]);
    }

    /** The number, with a tilde if it may be too large. */
    private static String about(SpaceSaving.Entry e) {
        return (e.error() > 0 ? "~" : "") + e.weight();
    }

    private static double share(long weight, SpaceSaving of) {
        return of.total() == 0 ? 0 : 100.0 * weight / of.total();
    }

    private static void section(Formatter out, String title, String head) {
        out.format("\n%s\n%s\n", title, head);
    }

    /** Removes control characters, so that text sent by clients cannot control the reader's terminal. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(
                    c >= ' ' && c < 0x7f
                            ? String.valueOf(c)
                            : String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", (int) c));
        }
        return out.toString();
    }

    /** One object, in one line. */
    String json() {
        return Json.object(j -> j.add("records", summary.records())
                .add("bytes", summary.bytes())
                .add("unread_lines", summary.unreadLines())
                .object("status", classes -> counts(summary.classes(), classes))
                .array("hosts", summary.clients().heaviest(lines), (e, to) -> entry(e, "host", "requests", to))
                .array("urls", summary.urls().heaviest(lines), (e, to) -> entry(e, "url", "requests", to))
                .array(
                        "slowest",
                        summary.slowest().first(lines),
                        (e, to) -> to.add("url", e.getKey()).add("micros", e.getValue()))
                .array("time", summary.time().heaviest(lines), (e, to) -> entry(e, "url", "micros", to))
                .array(
                        "minutes",
                        summary.minutes().entrySet(),
                        (m, to) -> to.add(
                                        "minute",
                                        Instant.ofEpochSecond(m.getKey() * 60).toString())
                                .object("status", classes -> counts(m.getValue(), classes))));
    }

    private static void counts(long[] classes, Json to) {
        for (int i = 0; i < classes.length; i++) {
            to.add(CLASSES.get(i), classes[i]);
        }
    }

    private static void entry(SpaceSaving.Entry e, String key, String weight, Json to) {
        to.add(key, e.key()).add(weight, e.weight()).add("overstated_by_at_most", e.error());
    }
}
