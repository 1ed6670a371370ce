package io.weir.lab.bench.growth;

import java.util.List;
import java.util.Locale;

/** What grows, in which steps, and of what the cost is measured meanwhile. */
public enum Growth {
    /** Open connections of HTTP, half of which send a byte or two at a time. */
    CONNECTIONS("open connections, half of them slow", "connection", "request"),
    /** Objects in the memory cache, each requested as often as any other. */
    OBJECTS("stored objects", "object", "request"),
    /** Stored variants of one URI. */
    VARIANTS("stored variants of one URI", "", "request"),
    /** Rules from paths to an origin. */
    ROUTES("routes", "", "request"),
    /** Fields of a request. */
    FIELDS("fields of a request's head", "", "request"),
    /** Origins, each with a route of its own. */
    ORIGINS("origins, each with its route", "origin", "request"),
    /** Servers of one pool. */
    POOL("servers of one pool", "", "request"),
    /** Queues with a consumer each. */
    QUEUES("queues with a consumer each", "queue", "message"),
    /** Subscribers of one topic. */
    SUBSCRIBERS("subscribers of one topic", "subscriber", "delivery"),
    /** Messages that wait in a queue while others pass through it. */
    BACKLOG("messages that wait in the queue", "message", "message"),
    /** Members of a cluster without work: their heartbeats. */
    MEMBERS("members of a cluster", "", "member's second"),
    /** Singletons of a lone member: their renewals. */
    SINGLETONS("active singletons", "singleton", "singleton's second"),
    /** Timers of a lone member that together fire equally often. */
    TIMERS("timers", "timer", "firing"),
    /** Processes that share the listeners. */
    PROCESSES("processes", "process", "request");

    /** The project's target: the last step's cost by the first one's. */
    public static final double TARGET = 1.2;

    private final String title;
    private final String kept;
    private final String unit;

    Growth(String title, String kept, String unit) {
        this.title = title;
        this.kept = kept;
        this.unit = unit;
    }

    /** Its name in options, tables and files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What grows, in words. */
    public String title() {
        return title;
    }

    /** What takes memory, one of what grows; empty: its memory says nothing. */
    public String kept() {
        return kept;
    }

    /** Of what the cost is measured. */
    public String unit() {
        return unit;
    }

    /** The steps, smallest first. */
    public List<Long> steps() {
        return switch (this) {
            case CONNECTIONS -> List.of(10L, 100L, 1000L, 10_000L);
            case OBJECTS -> List.of(100L, 1000L, 10_000L, 100_000L, 1_000_000L);
            case VARIANTS -> List.of(1L, 10L, 100L, 1000L);
            case ROUTES -> List.of(10L, 100L, 1000L, 10_000L);
            case FIELDS -> List.of(10L, 30L, 100L);
            case ORIGINS -> List.of(1L, 10L, 100L, 1000L);
            case POOL -> List.of(1L, 10L, 100L, 250L);
            case QUEUES -> List.of(1L, 10L, 100L, 1000L, 10_000L);
            case SUBSCRIBERS -> List.of(1L, 10L, 100L, 1000L);
            case BACKLOG -> List.of(0L, 1000L, 10_000L, 100_000L, 1_000_000L);
            case MEMBERS -> List.of(1L, 3L, 5L);
            case SINGLETONS -> List.of(1L, 10L, 100L, 1000L, 10_000L);
            case TIMERS -> List.of(100L, 1000L, 10_000L);
            case PROCESSES -> List.of(1L, 2L);
        };
    }

    /**
     * The steps up to a bound.
     *
     * @throws IllegalArgumentException if fewer than two are left: then nothing grows
     */
    public List<Long> steps(long most) {
        List<Long> left = steps().stream().filter(s -> s <= most).toList();
        if (left.size() < 2) {
            throw new IllegalArgumentException(
                    key() + " has no two steps up to " + most + "; its steps are " + list(steps()));
        }
        return left;
    }

    private static String list(List<Long> steps) {
        return String.join(", ", steps.stream().map(Growth::number).toList());
    }

    /** A number as it is shown, such as 10,000. */
    static String number(long step) {
        return String.format(Locale.ROOT, "%,d", step);
    }
}
