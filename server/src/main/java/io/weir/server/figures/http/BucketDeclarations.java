package io.weir.server.figures.http;

import io.weir.proxy.program.run.ProxyStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.monitor.source.Facts;
import java.util.List;
import java.util.Locale;

/** Every figure of performance buckets, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class BucketDeclarations {
    /**
     * The totals of which buckets are parts.
     *
     * @param seconds sum of all processing times
     */
    public record Totals(long requests, double seconds, long invocations) {
        /** For views without shares. */
        public static final Totals NONE = new Totals(0, 0, 0);
    }

    /**
     * A bucket.
     *
     * @param number its place in the list of profiles; all requests are the first
     */
    public record Row(int number, Facts.Bucket bucket, Totals all) {
        String id() {
            return "profile-" + number;
        }
    }

    private static final double NANOS_PER_SECOND = 1e9;

    /** All requests. */
    public static final FigureGroup<Totals> TOTALS = new FigureGroup<>(
            "All requests",
            "",
            null,
            "Performance Counters:",
            List.of(
                    Figure.<Totals>count("requests", "Requests of all virtual servers.", Totals::requests)
                            .line(
                                    "Total number of requests:",
                                    t -> String.format(Locale.ROOT, "           %10d", t.requests())),
                    Figure.<Totals>decimal("seconds", "Time in them, on average and together.", Totals::seconds)
                            .line(
                                    "Request processing time:",
                                    t -> String.format(
                                            Locale.ROOT,
                                            "%7.4f  %12.4f",
                                            per(t.seconds(), t.requests()),
                                            t.seconds()))));

    /** A bucket's name in stats-xml, to which other elements refer. */
    public static final FigureGroup<Row> NAME = new FigureGroup<>(
            "The name of a performance bucket",
            "profile",
            null,
            "",
            List.of(
                    Figure.<Row>text("The id that others refer to.", Row::id).attribute("id"),
                    Figure.<Row>text("The bucket's name.", r -> r.bucket().name())
                            .attribute("name"),
                    Figure.<Row>text("What is in it.", r -> r.bucket().description())
                            .attribute("description")));

    /** A bucket, in perfdump with its shares of the totals. */
    public static final FigureGroup<Row> BUCKET = new FigureGroup<>(
                    "A performance bucket",
                    "profile-bucket",
                    null,
                    "NAME (DESCRIPTION)",
                    List.of(
                            Figure.<Row>text("The id of its profile.", Row::id).attribute("profile"),
                            Figure.<Row>count(
                                            "requests",
                                            "Requests that invoked one of its functions.",
                                            r -> r.bucket().requests())
                                    .attribute("countRequests")
                                    .line(
                                            "Number of Requests:",
                                            r -> part(
                                                    r.bucket().requests(),
                                                    r.all().requests())),
                            Figure.<Row>count(
                                            ProxyStats.BUCKET_INVOCATIONS,
                                            r -> r.bucket().invocations())
                                    .attribute("countCalls")
                                    .line(
                                            "Number of Invocations:",
                                            r -> part(
                                                    r.bucket().invocations(),
                                                    r.all().invocations())),
                            Figure.<Row>count(
                                            ProxyStats.BUCKET_DISPATCH,
                                            r -> r.bucket().dispatchNanos())
                                    .ticks("ticksDispatch")
                                    .line(
                                            "Latency:",
                                            "seconds",
                                            r -> time(r, seconds(r.bucket().dispatchNanos()))),
                            Figure.<Row>count(
                                            ProxyStats.BUCKET_TIME,
                                            r -> r.bucket().functionNanos())
                                    .ticks("ticksFunction")
                                    .line(
                                            "Function Processing Time:",
                                            "seconds",
                                            r -> time(r, seconds(r.bucket().functionNanos()))),
                            Figure.<Row>count(
                                            "nanoseconds",
                                            "Both together.",
                                            r -> r.bucket().dispatchNanos()
                                                    + r.bucket().functionNanos())
                                    .line(
                                            "Total Response Time:",
                                            "seconds",
                                            r -> time(
                                                    r,
                                                    seconds(r.bucket().dispatchNanos())
                                                            + seconds(r.bucket().functionNanos())))))
            .writing("countCalls", "countRequests");

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(TOTALS, NAME, BUCKET);

    private BucketDeclarations() {}

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    private static String part(long part, long whole) {
        return String.format(Locale.ROOT, "         %12d    (%6.2f%%)", part, percent((double) part, (double) whole));
    }

    private static String time(Row r, double seconds) {
        return String.format(
                Locale.ROOT,
                "%7.4f  %12.4f    (%6.2f%%)",
                per(seconds, r.bucket().requests()),
                seconds,
                percent(seconds, r.all().seconds()));
    }

    private static double percent(double part, double whole) {
        return whole == 0 ? 0 : part * 100 / whole;
    }

    private static double per(double total, long n) {
        return n == 0 ? 0 : total / n;
    }
}
