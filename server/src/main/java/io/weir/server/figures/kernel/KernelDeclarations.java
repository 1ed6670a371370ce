package io.weir.server.figures.kernel;

import io.weir.kernel.settings.KernelStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.monitor.source.Facts.KeepAlive;
import io.weir.server.monitor.source.Facts.Listener;
import io.weir.server.monitor.source.Facts.Queue;
import io.weir.server.monitor.source.Facts.Sessions;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Every figure of waiting connections, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class KernelDeclarations {
    /** There is only one queue, and stats-xml requires a name. */
    public static final String QUEUE_ID = "cq1";

    private static final double NANOS_PER_MILLI = 1e6;

    /** Its name in stats-xml, to which other elements refer. */
    public static final FigureGroup<Queue> QUEUE_NAME = new FigureGroup<>(
            "The name of the connection queue",
            "connection-queue",
            null,
            "",
            List.of(Figure.<Queue>text("Always " + QUEUE_ID + ": a process has one queue.", _ -> QUEUE_ID)
                    .attribute("id")));

    /** The connection queue. */
    public static final FigureGroup<Queue> QUEUE = new FigureGroup<>(
                    "The connection queue",
                    "connection-queue-bucket",
                    null,
                    "ConnectionQueue:",
                    List.of(
                            Figure.<Queue>text("The id of connection-queue.", _ -> QUEUE_ID)
                                    .attribute("connection-queue"),
                            Figure.<Queue>count(
                                            "connections",
                                            "New connections accepted since the start.",
                                            Queue::connections)
                                    .attribute("countTotalConnections"),
                            Figure.<Queue>count(KernelStats.QUEUE_LENGTH, Queue::current)
                                    .attribute("countQueued")
                                    .line("Current/Peak/Limit Queue Length"),
                            Figure.<Queue>count(KernelStats.QUEUE_PEAK, Queue::peak)
                                    .attribute("peakQueued")
                                    .line("Current/Peak/Limit Queue Length"),
                            Figure.<Queue>count(KernelStats.QUEUE_LIMIT, Queue::limit)
                                    .attribute("maxQueued")
                                    .line("Current/Peak/Limit Queue Length"),
                            Figure.<Queue>count(KernelStats.QUEUE_OVERFLOWS, Queue::overflows)
                                    .attribute("countOverflows"),
                            Figure.<Queue>count(KernelStats.QUEUED_TOTAL, Queue::totalQueued)
                                    .attribute("countTotalQueued")
                                    .line("Total Connections Queued"),
                            average(1, q -> q.averages().one())
                                    .line("Average Queue Length (1, 5, 15 minutes)", KernelDeclarations::averages),
                            average(5, q -> q.averages().five()),
                            average(15, q -> q.averages().fifteen()),
                            Figure.<Queue>count(
                                            KernelStats.QUEUE_TICKS,
                                            q -> Texts.TICK.convert(q.delayNanos(), TimeUnit.NANOSECONDS))
                                    .attribute("ticksTotalQueued")
                                    .line("Average Queueing Delay", "milliseconds", KernelDeclarations::delay)))
            .writing("ticksTotalQueued", "countQueued1MinuteAverage");

    /** A listener. */
    public static final FigureGroup<Listener> LISTENER = new FigureGroup<>(
            "A listener",
            "",
            null,
            "ListenSocket NAME:",
            List.of(
                    Figure.<Listener>text("Its URL.", l -> l.scheme() + "://" + l.address())
                            .line("Address"),
                    Figure.<Listener>number("threads", "Threads that accept.", Listener::acceptors)
                            .line("Acceptor Threads"),
                    Figure.<Listener>text(
                                    "Serves requests without a known host; messaging has none.",
                                    Listener::virtualServer)
                            .line("Default Virtual Server", l -> l.messaging() ? "" : l.virtualServer())));

    /** The keep-alive subsystem. */
    public static final FigureGroup<KeepAlive> KEEP_ALIVE = new FigureGroup<>(
            "Keep-alive",
            "keepalive-bucket",
            null,
            "KeepAliveInfo:",
            List.of(
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_COUNT, KeepAlive::count)
                            .attribute("countConnections")
                            .line("KeepAliveCount"),
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_LIMIT, KeepAlive::max)
                            .attribute("maxConnections")
                            .line("KeepAliveCount"),
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_HITS, KeepAlive::hits)
                            .attribute("countHits")
                            .line("KeepAliveHits"),
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_FLUSHES, KeepAlive::flushes)
                            .attribute("countFlushes")
                            .line("KeepAliveFlushes"),
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_REFUSALS, KeepAlive::refusals)
                            .attribute("countRefusals")
                            .line("KeepAliveRefusals"),
                    Figure.<KeepAlive>count(KernelStats.KEEPALIVE_TIMEOUTS, KeepAlive::timeOuts)
                            .attribute("countTimeouts")
                            .line("KeepAliveTimeouts"),
                    Figure.<KeepAlive>count(
                                    "seconds",
                                    "How long a connection may wait for a next request.",
                                    KeepAlive::timeOutSeconds)
                            .attribute("secondsTimeout")
                            .line("KeepAliveTimeout", k -> k.timeOutSeconds() + " seconds")));

    /** Requests in handling: the Sun proxy's session threads. */
    public static final FigureGroup<Sessions> SESSIONS = new FigureGroup<>(
            "Sessions",
            "",
            null,
            "SessionCreationInfo:",
            List.of(
                    Figure.<Sessions>count(
                                    "requests", "Requests with a slot; those that stream have none.", Sessions::active)
                            .line("Active Sessions"),
                    Figure.<Sessions>count(
                                    "connections", "Connections that wait for a next request.", Sessions::keepAlive)
                            .line("Keep-Alive Sessions"),
                    Figure.<Sessions>count("requests", "The most that were active at once.", Sessions::created)
                            .line("Total Sessions Created"),
                    Figure.<Sessions>count("requests", "Most that may be active.", Sessions::limit)
                            .line("Total Sessions Created")));

    /** All of them, in the order of perfdump. */
    public static final List<FigureGroup<?>> ALL = List.of(QUEUE_NAME, QUEUE, LISTENER, KEEP_ALIVE, SESSIONS);

    private KernelDeclarations() {}

    private static Figure<Queue> average(int minutes, Function<Queue, Double> value) {
        return Figure.<Queue>decimal("requests", "Mean length over " + minutes + " min.", value)
                .attribute("countQueued" + minutes + "MinuteAverage", q -> Texts.decimal(value.apply(q)));
    }

    private static String averages(Queue q) {
        return String.format(
                Locale.ROOT,
                "%4.2f, %4.2f, %4.2f",
                q.averages().one(),
                q.averages().five(),
                q.averages().fifteen());
    }

    private static String delay(Queue q) {
        double millis = q.delayNanos() / NANOS_PER_MILLI / Math.max(1, q.totalQueued());
        return String.format(Locale.ROOT, "%.2f milliseconds", millis);
    }
}
