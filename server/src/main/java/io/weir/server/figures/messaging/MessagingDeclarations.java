package io.weir.server.figures.messaging;

import io.weir.broker.report.BrokerStats;
import io.weir.journal.settings.JournalStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.figures.messaging.MessagingFigures.Connection;
import io.weir.server.figures.messaging.MessagingFigures.Destination;
import io.weir.server.figures.messaging.MessagingFigures.Journal;
import io.weir.server.figures.messaging.MessagingFigures.Session;
import io.weir.server.figures.messaging.MessagingFigures.Temporaries;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Every figure of messaging, once: perfdump, stats-xml with its document type, JMX, JSON and docs/figures.md follow. */
public final class MessagingDeclarations {
    private static final String FORCES = "Force Latency Average/50%/99%/Most";
    private static final String STALE = "Age of these figures when the muxer hangs; 0 otherwise.";

    /** The sums over all. */
    public static final FigureGroup<MessagingFigures> TOTALS = new FigureGroup<>(
            "Messaging",
            "jms-bucket",
            "JMSRuntime",
            "MessagingInfo:",
            List.of(
                    Figure.<MessagingFigures>number(
                                    "destinations",
                                    "Destinations that are not temporary.",
                                    m -> m.destinations().size())
                            .attribute("countDestinations"),
                    Figure.<MessagingFigures>number(
                                    "connections",
                                    "Connections open now.",
                                    m -> m.totals().connections())
                            .line("Connections")
                            .attribute("countConnections")
                            .bean("ConnectionsCurrentCount"),
                    Figure.<MessagingFigures>number(
                                    BrokerStats.SESSIONS, m -> m.totals().sessions())
                            .line("Sessions")
                            .attribute("countSessions")
                            .bean("SessionsCurrentCount"),
                    Figure.<MessagingFigures>number(
                                    "elements", "Elements of a kind at most.", _ -> MessagingFigures.MAX_ROWS)
                            .attribute("maxShown"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.WINDOW_BLOCKED, m -> m.totals().blockedSessions())
                            .line("Blocked Sessions")
                            .attribute("countBlockedSessions")
                            .bean("SessionsBlockedCount"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.ONE_WAY_SENDS, m -> m.totals().oneWay())
                            .line("One-Way Sends/Dropped")
                            .attribute("countOneWaySends")
                            .bean("OneWaySendsCount"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.ONE_WAY_DROPPED, m -> m.totals().oneWayDropped())
                            .line("One-Way Sends/Dropped")
                            .attribute("countOneWayDropped")
                            .bean("OneWayDroppedCount"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.RECEIVES, m -> m.totals().receives())
                            .line("Receives/Timeouts")
                            .attribute("countReceives"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.RECEIVE_TIMEOUTS,
                                    m -> m.totals().receiveTimeouts())
                            .line("Receives/Timeouts")
                            .attribute("countReceiveTimeouts"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.COMMITTED, m -> m.totals().committed())
                            .line("Committed/Rolled Back")
                            .attribute("countCommitted"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.ROLLED_BACK, m -> m.totals().rolledBack())
                            .line("Committed/Rolled Back")
                            .attribute("countRolledBack"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.REFUSED, m -> m.totals().refused())
                            .line("Refused Requests")
                            .attribute("countRefused")
                            .bean("RefusedCount"),
                    Figure.<MessagingFigures>count(
                                    BrokerStats.SLOW_CONSUMERS, m -> m.totals().slowConsumers())
                            .line("Slow Consumers")
                            .attribute("countSlowConsumers")
                            .bean("SlowConsumersCount"),
                    Figure.<MessagingFigures>number(
                                    BrokerStats.TEMPORARIES,
                                    m -> m.totals().temporaries().count())
                            .line("Temporary Destinations")
                            .attribute("countTemporaryDestinations")
                            .bean("TemporaryDestinationsCurrentCount"),
                    temporary("messages", "Messages available at temporary destinations now.", t -> t.messages())
                            .attribute("countTemporaryMessages"),
                    temporary("messages", "Messages sent to temporary destinations.", t -> t.messagesTotal())
                            .attribute("countTotalTemporaryMessages"),
                    temporary(
                                    "messages",
                                    "Messages of them at consumers, delayed or uncommitted.",
                                    t -> t.messagesPending())
                            .attribute("countPendingTemporaryMessages"),
                    temporary("bytes", "Bytes of the available ones.", t -> t.bytes())
                            .attribute("sizeTemporaryMessages"),
                    temporary("bytes", "Bytes of all that were sent.", t -> t.bytesTotal())
                            .attribute("sizeTotalTemporaryMessages"),
                    temporary("bytes", "Bytes of those that are pending.", t -> t.bytesPending())
                            .attribute("sizePendingTemporaryMessages"),
                    Figure.<MessagingFigures>number(
                                    "muxers",
                                    "Muxers that have not counted for seconds; perfdump names them.",
                                    m -> m.totals().hanging().size())
                            .line(
                                    "Hanging Muxers",
                                    m -> m.totals().hanging().stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(", ")))
                            .attribute("countHangingMuxers")
                            .bean("HangingMuxersCount")));

    /** The journal of persistent messages. */
    public static final FigureGroup<Journal> JOURNAL = new FigureGroup<>(
            "The journal of persistent messages",
            "jms-journal-bucket",
            "PersistentStoreRuntime",
            "JournalInfo NAME:",
            List.of(
                    Figure.<Journal>text("Its name.", Journal::name).attribute("name"),
                    Figure.<Journal>text(
                                    "active, or suspended: nothing is written now; perfdump says why.",
                                    j -> j.suspended() == null ? "active" : "suspended")
                            .line("State", MessagingDeclarations::state)
                            .attribute("mode", "active", "suspended"),
                    Figure.<Journal>flag("Whether nothing is written now.", j -> j.suspended() != null)
                            .bean("Suspended"),
                    Figure.<Journal>count(JournalStats.RECORDS, Journal::records)
                            .line("Records")
                            .attribute("countRecords")
                            .bean("RecordsWrittenCount"),
                    Figure.<Journal>count(JournalStats.FORCES, Journal::forces)
                            .line("Forces")
                            .attribute("countForces")
                            .bean("PhysicalWriteCount"),
                    Figure.<Journal>decimal("records", "How well forces are shared.", j -> per(j.records(), j.forces()))
                            .line(
                                    "Records per Force",
                                    j -> String.format(Locale.ROOT, "%.2f", per(j.records(), j.forces())))
                            .bean("RecordsPerPhysicalWrite"),
                    Figure.<Journal>count("nanoseconds", "Time spent in forces.", Journal::forceTotal)
                            .line(FORCES, "milliseconds", j -> Texts.millis(per(j.forceTotal(), j.forces())))
                            .ticks("ticksTotalForce")
                            .bean("ForceNanosTotal"),
                    force("Half of the forces took no longer.", Journal::force50)
                            .ticks("ticksForce50Percent"),
                    force("99 percent of the forces took no longer.", Journal::force99)
                            .ticks("ticksForce99Percent")
                            .bean("ForceNanos99"),
                    Figure.<Journal>count("nanoseconds", "The longest force.", Journal::forceMax)
                            .line(FORCES, "milliseconds", j -> Texts.millis(j.forceMax()) + " milliseconds")
                            .ticks("maxTicksForce")
                            .bean("ForceNanosMax"),
                    Figure.<Journal>count(JournalStats.BYTES, Journal::bytes)
                            .line("Bytes Written")
                            .attribute("countBytesWritten"),
                    Figure.<Journal>count(JournalStats.SEGMENTS, Journal::segments)
                            .line("Segments")
                            .attribute("countSegments")
                            .bean("SegmentsCount"),
                    Figure.<Journal>count(JournalStats.DISK, Journal::disk)
                            .line("Disk Bytes")
                            .attribute("sizeDisk")
                            .bean("DiskBytes"),
                    Figure.<Journal>count(JournalStats.LIVE, Journal::live)
                            .line("Live Ratio", j -> Texts.ratio(j.live(), j.disk()))
                            .attribute("sizeLive")
                            .bean("LiveBytes"),
                    Figure.<Journal>count(JournalStats.LIVE_ENTRIES, Journal::entries)
                            .line("Live Entries")
                            .attribute("countLiveEntries")
                            .bean("ObjectCount"),
                    Figure.<Journal>count(JournalStats.QUEUED, Journal::queued)
                            .line("Groups Queued")
                            .attribute("countQueued"),
                    Figure.<Journal>count(JournalStats.SKIPPED, Journal::skipped)
                            .line("Entries Never Written")
                            .attribute("countNeverWritten"),
                    Figure.<Journal>count(JournalStats.REFUSED, Journal::refused)
                            .line("Refused/Failed Writes")
                            .attribute("countRefused"),
                    Figure.<Journal>count(JournalStats.FAILED_WRITES, Journal::failedWrites)
                            .line("Refused/Failed Writes")
                            .attribute("countFailedWrites")
                            .bean("FailedWritesCount")));

    /** A queue or topic that is not temporary. */
    public static final FigureGroup<Destination> DESTINATION = new FigureGroup<>(
            "A destination",
            "jms-destination-bucket",
            "JMSDestinationRuntime",
            "Destinations:",
            List.of(
                    Figure.<Destination>text("queue/NAME or topic/NAME.", Destination::name)
                            .column("Destination")
                            .attribute("name")
                            .member("name"),
                    Figure.<Destination>count(
                                    BrokerStats.MESSAGES_CURRENT,
                                    d -> d.messages().current())
                            .column("Messages")
                            .attribute("countMessages")
                            .bean("MessagesCurrentCount")
                            .member("messages.current"),
                    Figure.<Destination>count(
                                    BrokerStats.MESSAGES_HIGH, d -> d.messages().high())
                            .column("High")
                            .attribute("peakMessages")
                            .bean("MessagesHighCount")
                            .member("messages.high"),
                    Figure.<Destination>count(
                                    BrokerStats.MESSAGES_RECEIVED,
                                    d -> d.messages().total())
                            .column("Total")
                            .attribute("countTotalMessages")
                            .bean("MessagesReceivedCount")
                            .member("messages.total"),
                    Figure.<Destination>count(
                                    BrokerStats.MESSAGES_RECOVERED,
                                    d -> d.messages().recovered())
                            .attribute("countRecoveredMessages")
                            .bean("MessagesRecoveredCount")
                            .member("messages.recovered"),
                    Figure.<Destination>count(
                                    BrokerStats.MESSAGES_PENDING,
                                    d -> d.messages().pending())
                            .column("Pending")
                            .attribute("countPendingMessages")
                            .bean("MessagesPendingCount")
                            .member("messages.pending"),
                    Figure.<Destination>count(
                                    BrokerStats.BYTES_CURRENT, d -> d.bytes().current())
                            .column("Bytes")
                            .attribute("sizeMessages")
                            .bean("BytesCurrentCount")
                            .member("bytes.current"),
                    Figure.<Destination>count(
                                    BrokerStats.BYTES_HIGH, d -> d.bytes().high())
                            .column("BytesHigh")
                            .attribute("peakSizeMessages")
                            .bean("BytesHighCount")
                            .member("bytes.high"),
                    Figure.<Destination>count(
                                    BrokerStats.BYTES_RECEIVED, d -> d.bytes().total())
                            .column("BytesTotal")
                            .attribute("sizeTotalMessages")
                            .bean("BytesReceivedCount")
                            .member("bytes.total"),
                    Figure.<Destination>count(
                                    BrokerStats.BYTES_RECOVERED, d -> d.bytes().recovered())
                            .attribute("sizeRecoveredMessages")
                            .bean("BytesRecoveredCount")
                            .member("bytes.recovered"),
                    Figure.<Destination>count(
                                    BrokerStats.BYTES_PENDING, d -> d.bytes().pending())
                            .column("BytesPending")
                            .attribute("sizePendingMessages")
                            .bean("BytesPendingCount")
                            .member("bytes.pending"),
                    Figure.<Destination>number(BrokerStats.CONSUMERS, Destination::consumers)
                            .column("Consumers")
                            .attribute("countConsumers")
                            .bean("ConsumersCurrentCount")
                            .member("consumers"),
                    Figure.<Destination>number(BrokerStats.PRODUCERS, Destination::producers)
                            .column("Producers")
                            .attribute("countProducers")
                            .bean("ProducersCurrentCount")
                            .member("producers"),
                    Figure.<Destination>text("The quota that it shares; empty: its own.", Destination::quota)
                            .attribute("quota")
                            .member("quota"),
                    Figure.<Destination>count("sends", "Sends that had to wait for room here.", Destination::quotaWaits)
                            .column("QuotaWaits")
                            .attribute("countQuotaWaits")
                            .bean("QuotaWaitsCount")
                            .member("quotaWaits"),
                    Figure.<Destination>count(BrokerStats.DELIVERED, Destination::delivered)
                            .attribute("countDelivered")
                            .member("delivered"),
                    Figure.<Destination>count(BrokerStats.ACKNOWLEDGED, Destination::acknowledged)
                            .attribute("countAcknowledged")
                            .member("acknowledged"),
                    Figure.<Destination>count(BrokerStats.REDELIVERED, Destination::redelivered)
                            .column("Redelivered")
                            .attribute("countRedelivered")
                            .bean("MessagesRedeliveredCount")
                            .member("redelivered"),
                    Figure.<Destination>count(BrokerStats.EXPIRED, Destination::expired)
                            .column("Expired")
                            .attribute("countExpired")
                            .bean("MessagesExpiredCount")
                            .member("expired"),
                    Figure.<Destination>count(BrokerStats.FAILED, Destination::failed)
                            .attribute("countFailed")
                            .bean("MessagesFailedCount")
                            .member("failed"),
                    Figure.<Destination>count(BrokerStats.OVERRUN, Destination::overrun)
                            .attribute("countOverrun")
                            .member("overrun"),
                    Figure.<Destination>text("The stages that are paused.", Destination::paused)
                            .column("Paused")
                            .member("paused"),
                    Figure.<Destination>flag("Whether sends are refused.", Destination::productionPaused)
                            .attribute("flagProductionPaused")
                            .bean("ProductionPaused"),
                    Figure.<Destination>flag("Whether commits are refused.", Destination::insertionPaused)
                            .attribute("flagInsertionPaused")
                            .bean("InsertionPaused"),
                    Figure.<Destination>flag("Whether nothing is delivered.", Destination::consumptionPaused)
                            .attribute("flagConsumptionPaused")
                            .bean("ConsumptionPaused"),
                    Figure.<Destination>count("seconds", STALE, Destination::staleSeconds)
                            .column("AsOf", d -> asOf(d.staleSeconds()))
                            .attribute("secondsStale")
                            .bean("SecondsStale")
                            .member("secondsStale")));

    /** A client's connection. */
    public static final FigureGroup<Connection> CONNECTION = new FigureGroup<>(
            "A client's connection",
            "jms-connection-bucket",
            null,
            "MessagingConnections:",
            List.of(
                    Figure.<Connection>text("Its number, as in message identifiers.", c -> Long.toHexString(c.id()))
                            .column("Connection")
                            .attribute("id"),
                    Figure.<Connection>text("The user that logged in.", Connection::user)
                            .column("User")
                            .attribute("user"),
                    Figure.<Connection>text("Its client identifier.", Connection::clientId)
                            .column("ClientID")
                            .attribute("clientId"),
                    Figure.<Connection>text("The client's address and port.", Connection::address)
                            .column("Address")
                            .attribute("addressClient"),
                    Figure.<Connection>flag("Whether its consumers get messages.", Connection::started)
                            .column("Started")
                            .attribute("flagStarted"),
                    Figure.<Connection>number("sessions", "Its sessions.", Connection::sessions)
                            .column("Sessions")
                            .attribute("countSessions"),
                    Figure.<Connection>number("sessions", "Those whose window is full.", Connection::blocked)
                            .column("Blocked")
                            .attribute("countBlockedSessions"),
                    Figure.<Connection>number("messages", "Messages unacknowledged.", Connection::unacknowledged)
                            .column("Unacknowledged")
                            .attribute("countUnacknowledged"),
                    Figure.<Connection>number("destinations", "Temporary destinations of it.", Connection::temporaries)
                            .column("Temporaries")
                            .attribute("countTemporaryDestinations"),
                    Figure.<Connection>count("bytes", "Not yet taken by the socket.", Connection::waitingBytes)
                            .column("WaitingBytes")
                            .attribute("sizeWaiting"),
                    Figure.<Connection>count("seconds", STALE, Connection::staleSeconds)
                            .column("AsOf", c -> asOf(c.staleSeconds()))
                            .attribute("secondsStale")));

    /** A session of a connection. */
    public static final FigureGroup<Session> SESSION = new FigureGroup<>(
            "A session",
            "jms-session-bucket",
            "JMSSessionRuntime",
            "MessagingSessions:",
            List.of(
                    Figure.<Session>text("The number of its connection.", s -> Long.toHexString(s.connection()))
                            .column("Connection")
                            .attribute("connection"),
                    Figure.<Session>number("", "Its number on the connection.", Session::number)
                            .column("Session")
                            .attribute("number"),
                    Figure.<Session>text("The user that logged in.", Session::user)
                            .column("User")
                            .bean("User"),
                    Figure.<Session>text("The connection's client identifier.", Session::clientId)
                            .column("ClientID")
                            .bean("ClientID"),
                    Figure.<Session>text("The client's address and port.", Session::address)
                            .bean("HostAddress"),
                    Figure.<Session>text("How messages are acknowledged.", Session::mode)
                            .column("Mode")
                            .attribute("mode", "transacted", "auto", "client", "dups-ok", "none")
                            .bean("AcknowledgeMode"),
                    Figure.<Session>flag(
                                    "Whether it is transacted.", s -> s.mode().equals("transacted"))
                            .bean("Transacted"),
                    Figure.<Session>number("messages", "Messages in the window.", Session::outstanding)
                            .column("Window", s -> s.outstanding() + "/" + (s.window() < 0 ? "unlimited" : s.window()))
                            .attribute("countWindow")
                            .bean("MessagesOutstandingCount"),
                    Figure.<Session>number(
                                    "messages", "The window (MessagesMaximum); -1 without limit.", Session::window)
                            .attribute("maxWindow")
                            .bean("MessagesMaximum"),
                    Figure.<Session>flag("Whether the window is full.", Session::blocked)
                            .column("Blocked")
                            .attribute("flagBlocked")
                            .bean("WindowBlocked"),
                    Figure.<Session>count("messages", "Sends without an answer.", Session::oneWay)
                            .column("OneWay")
                            .attribute("countOneWaySends")
                            .bean("OneWaySendsCount"),
                    Figure.<Session>number("messages", "Messages unacknowledged.", Session::unacknowledged)
                            .column("Unacknowledged")
                            .attribute("countUnacknowledged")
                            .bean("MessagesPendingCount"),
                    Figure.<Session>number("consumers", "Its consumers.", Session::consumers)
                            .column("Consumers")
                            .attribute("countConsumers")
                            .bean("ConsumersCurrentCount"),
                    Figure.<Session>number("sends", "Sends that wait for room or the disk.", Session::waitingSends)
                            .column("WaitingSends")
                            .attribute("countWaitingSends")
                            .bean("WaitingSendsCount"),
                    Figure.<Session>flag("Whether its connection is started.", Session::started)
                            .attribute("flagStarted"),
                    Figure.<Session>count("seconds", STALE, Session::staleSeconds)
                            .column("AsOf", s -> asOf(s.staleSeconds()))
                            .attribute("secondsStale")
                            .bean("SecondsStale")));

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(TOTALS, JOURNAL, DESTINATION, CONNECTION, SESSION);

    private MessagingDeclarations() {}

    private static Figure<MessagingFigures> temporary(String unit, String doc, ToLongFunction<Temporaries> value) {
        String what = unit.equals("bytes") ? "Bytes" : "Messages";
        return Figure.<MessagingFigures>count(
                        unit, doc, m -> value.applyAsLong(m.totals().temporaries()))
                .line("Temporary " + what + " Current/Total/Pending");
    }

    private static Figure<Journal> force(String doc, ToLongFunction<Journal> nanos) {
        return Figure.<Journal>count("nanoseconds", doc, nanos::applyAsLong)
                .line(FORCES, "milliseconds", j -> Texts.millis(nanos.applyAsLong(j)));
    }

    private static String state(Journal j) {
        return j.suspended() == null ? "ok" : "suspended: " + j.suspended();
    }

    /** A note on stale figures; empty while they are of the latest second. */
    private static String asOf(long staleSeconds) {
        return staleSeconds == 0 ? "" : staleSeconds + " seconds ago";
    }

    private static double per(long total, long n) {
        return n == 0 ? 0 : (double) total / n;
    }
}
