package io.weir.server.facts;

import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.ConnectionView;
import io.weir.broker.admin.DestinationView;
import io.weir.broker.admin.LoopFigures;
import io.weir.broker.admin.SessionView;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.ClientFrames;
import io.weir.journal.damage.Damages;
import io.weir.journal.settings.JournalStats;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.messaging.MessagingFigures.Amounts;
import io.weir.server.monitor.source.Facts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Messaging's figures for the monitoring views, as last published by its loops, without calls to a loop. Shared. */
public final class MessagingFacts {
    /** The journal's name, which labels its statistics. */
    private static final String JOURNAL = BrokerAdmin.JOURNAL;

    private static final long NANOS = 1_000_000_000L;

    private final BrokerAdmin broker;
    private final Stats stats;

    public MessagingFacts(BrokerAdmin broker, Stats stats) {
        this.broker = broker;
        this.stats = stats;
    }

    public MessagingFigures figures() {
        List<LoopFigures> loops = broker.figures();
        List<MessagingFigures.Destination> destinations = new ArrayList<>();
        List<MessagingFigures.Connection> connections = new ArrayList<>();
        List<MessagingFigures.Session> sessions = new ArrayList<>();
        for (LoopFigures l : loops) {
            long stale = l.stale() ? l.ageNanos() / NANOS : 0;
            l.destinations().forEach(d -> destinations.add(destination(d, stale)));
            l.connections().forEach(c -> connections.add(connection(c, stale)));
            l.sessions().forEach(s -> sessions.add(session(s, stale)));
        }
        destinations.sort(Comparator.comparing(MessagingFigures.Destination::name));
        connections.sort(Comparator.comparingLong(MessagingFigures.Connection::id));
        sessions.sort(Comparator.comparingLong(MessagingFigures.Session::connection)
                .thenComparingInt(MessagingFigures.Session::number));
        return new MessagingFigures(totals(loops), destinations, journal(), connections, sessions);
    }

    private MessagingFigures.Totals totals(List<LoopFigures> loops) {
        return new MessagingFigures.Totals(
                count(loops, LoopFigures::connectionCount),
                count(loops, LoopFigures::sessionCount),
                stats.value(BrokerStats.WINDOW_BLOCKED),
                stats.value(BrokerStats.ONE_WAY_SENDS),
                stats.value(BrokerStats.ONE_WAY_DROPPED),
                stats.value(BrokerStats.RECEIVES),
                stats.value(BrokerStats.RECEIVE_TIMEOUTS),
                stats.value(BrokerStats.COMMITTED),
                stats.sum(BrokerStats.ROLLED_BACK),
                stats.sum(BrokerStats.REFUSED),
                stats.value(BrokerStats.SLOW_CONSUMERS),
                temporaries(loops),
                loops.stream().filter(LoopFigures::stale).map(LoopFigures::loop).toList());
    }

    private static MessagingFigures.Temporaries temporaries(List<LoopFigures> loops) {
        return new MessagingFigures.Temporaries(
                count(loops, l -> l.temporaries().count()),
                sum(loops, LoopFigures.Temporaries::messagesCurrent),
                sum(loops, LoopFigures.Temporaries::messagesReceived),
                sum(loops, LoopFigures.Temporaries::messagesPending),
                sum(loops, LoopFigures.Temporaries::bytesCurrent),
                sum(loops, LoopFigures.Temporaries::bytesReceived),
                sum(loops, LoopFigures.Temporaries::bytesPending));
    }

    private static int count(List<LoopFigures> loops, ToIntFunction<LoopFigures> figure) {
        return loops.stream().mapToInt(figure).sum();
    }

    private static long sum(List<LoopFigures> loops, ToLongFunction<LoopFigures.Temporaries> figure) {
        return loops.stream().map(LoopFigures::temporaries).mapToLong(figure).sum();
    }

    public static MessagingFigures.Destination destination(DestinationView d, long stale) {
        return new MessagingFigures.Destination(
                d.name(),
                new Amounts(
                        d.messagesCurrent(),
                        d.messagesHigh(),
                        d.messagesReceived(),
                        d.messagesRecovered(),
                        d.messagesPending()),
                new Amounts(d.bytesCurrent(), d.bytesHigh(), d.bytesReceived(), d.bytesRecovered(), d.bytesPending()),
                d.consumers(),
                d.producers(),
                d.quota(),
                d.quotaWaits(),
                d.delivered(),
                d.acknowledged(),
                d.redelivered(),
                d.expired(),
                d.failed(),
                d.overrun(),
                d.productionPaused(),
                d.insertionPaused(),
                d.consumptionPaused(),
                stale);
    }

    private static MessagingFigures.Connection connection(ConnectionView c, long stale) {
        return new MessagingFigures.Connection(
                c.id(),
                c.user(),
                text(c.clientId()),
                c.address(),
                c.started(),
                c.sessions(),
                c.blockedSessions(),
                c.unacknowledged(),
                c.temporaryDestinations(),
                c.waitingBytes(),
                stale);
    }

    private static MessagingFigures.Session session(SessionView s, long stale) {
        return new MessagingFigures.Session(
                s.connection(),
                s.session(),
                s.user(),
                text(s.clientId()),
                s.address(),
                mode(s.acknowledgeMode()),
                s.outstanding(),
                s.window() == Integer.MAX_VALUE ? -1 : s.window(),
                s.blocked(),
                s.unacknowledged(),
                s.consumers(),
                s.waitingSends(),
                s.oneWay(),
                s.started(),
                stale);
    }

    private static String text(@Nullable String s) {
        return s == null ? "" : s;
    }

    private static String mode(int mode) {
        return switch (mode) {
            case ClientFrames.OpenSession.TRANSACTED -> "transacted";
            case ClientFrames.OpenSession.AUTO -> "auto";
            case ClientFrames.OpenSession.CLIENT -> "client";
            case ClientFrames.OpenSession.DUPLICATES_ALLOWED -> "dups-ok";
            default -> "none";
        };
    }

    private MessagingFigures.@Nullable Journal journal() {
        if (!broker.hasStore()) {
            return null;
        }
        Histogram force = stats.histogram(JournalStats.FORCE_TIME, JOURNAL);
        return new MessagingFigures.Journal(
                JOURNAL,
                broker.storeSuspended(),
                stats.value(JournalStats.RECORDS, JOURNAL),
                stats.value(JournalStats.BYTES, JOURNAL),
                stats.value(JournalStats.FORCES, JOURNAL),
                force.total(),
                force.percentile(50),
                force.percentile(99),
                force.max(),
                stats.value(JournalStats.SEGMENTS, JOURNAL),
                stats.value(JournalStats.DISK, JOURNAL),
                stats.value(JournalStats.LIVE, JOURNAL),
                stats.value(JournalStats.LIVE_ENTRIES, JOURNAL),
                stats.value(JournalStats.QUEUED, JOURNAL),
                stats.value(JournalStats.SKIPPED, JOURNAL),
                stats.sum(JournalStats.REFUSED),
                stats.value(JournalStats.FAILED_WRITES, JOURNAL));
    }

    /** Damage found in the journal. */
    @Nullable
    public Damages damages() {
        return broker.damages();
    }

    /** The journal's check: a server that cannot store persistent messages is not ready. */
    public List<Facts.Check> checks() {
        if (!broker.hasStore()) {
            return List.of();
        }
        String fault = broker.storeSuspended();
        return List.of(new Facts.Check(
                "journal " + JOURNAL,
                fault == null,
                fault == null
                        ? stats.value(JournalStats.LIVE_ENTRIES, JOURNAL) + " entries, "
                                + stats.value(JournalStats.DISK, JOURNAL) + " bytes on the disk"
                        : fault));
    }
}
