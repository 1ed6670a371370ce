package io.weir.server.monitor;

import io.weir.server.monitor.MessagingFigures.Destination;
import io.weir.server.monitor.MessagingFigures.Journal;
import io.weir.server.monitor.MessagingFigures.Session;
import io.weir.server.monitor.MessagingFigures.Totals;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messaging as beans with WebLogic's attribute names where Weir has the figure; they show what the latest refresh found.
 * Shared: refreshed by the admin loop, read by the threads of JMX.
 */
final class MessagingBeans {
    /** What is registered with which type and name. */
    record Name(String type, String name) {}

    private volatile @Nullable MessagingFigures latest;
    private volatile Map<String, Destination> destinations = Map.of();
    private volatile Map<String, Session> sessions = Map.of();

    /** Takes the figures over and says which beans there are now; a bounded number. */
    Map<Name, Supplier<ReadOnlyBean>> refresh(@Nullable MessagingFigures now) {
        latest = now;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        Map<String, Destination> newDestinations = new LinkedHashMap<>();
        Map<String, Session> newSessions = new LinkedHashMap<>();
        if (now != null) {
            beans.put(new Name("JMSRuntime", "messaging"), this::totals);
            Journal journal = now.journal();
            if (journal != null) {
                beans.put(new Name("PersistentStoreRuntime", journal.name()), this::journal);
            }
            MessagingFigures.shown(now.destinations()).forEach(d -> newDestinations.put(d.name(), d));
            MessagingFigures.shown(now.sessions()).forEach(s -> newSessions.put(name(s), s));
            newDestinations
                    .keySet()
                    .forEach(n -> beans.put(new Name("JMSDestinationRuntime", n), () -> destination(n)));
            newSessions.keySet().forEach(n -> beans.put(new Name("JMSSessionRuntime", n), () -> session(n)));
        }
        destinations = newDestinations;
        sessions = newSessions;
        return beans;
    }

    private static String name(Session s) {
        return Long.toHexString(s.connection()) + "." + s.number();
    }

    private ReadOnlyBean totals() {
        return new FigureBean<Totals>("Messaging", () -> {
                    MessagingFigures m = latest;
                    return m == null ? null : m.totals();
                })
                .number("ConnectionsCurrentCount", "Connections open now.", Totals::connections)
                .number("SessionsCurrentCount", "Sessions open now.", Totals::sessions)
                .count("SessionsBlockedCount", "Sessions whose window is full now.", Totals::blockedSessions)
                .count("OneWaySendsCount", "Sends without an answer.", Totals::oneWay)
                .count("OneWayDroppedCount", "One-way messages deleted.", Totals::oneWayDropped)
                .count("RefusedCount", "Requests refused.", Totals::refused)
                .count("SlowConsumersCount", "Consumers named as slow since the start.", Totals::slowConsumers)
                .number(
                        "TemporaryDestinationsCurrentCount",
                        "Temporary destinations.",
                        t -> t.temporaries().count())
                .number(
                        "HangingMuxersCount",
                        "Muxers that did not count for seconds.",
                        t -> t.hanging().size());
    }

    private ReadOnlyBean journal() {
        return new FigureBean<Journal>("The journal of persistent messages", () -> {
                    MessagingFigures m = latest;
                    return m == null ? null : m.journal();
                })
                .flag("Suspended", "Whether nothing is written now.", j -> j.suspended() != null)
                .count("RecordsWrittenCount", "Records written.", Journal::records)
                .count("PhysicalWriteCount", "Batches made durable.", Journal::forces)
                .decimal(
                        "RecordsPerPhysicalWrite",
                        "How well forces are shared.",
                        j -> j.forces() == 0 ? 0.0 : (double) j.records() / j.forces())
                .count("ForceNanosTotal", "Time spent in forces, in nanoseconds.", Journal::forceTotal)
                .count("ForceNanos99", "99 percent of the forces took no longer.", Journal::force99)
                .count("ForceNanosMax", "The longest force.", Journal::forceMax)
                .count("ObjectCount", "Entries added and not removed.", Journal::entries)
                .count("SegmentsCount", "Segment files.", Journal::segments)
                .count("DiskBytes", "Bytes of segment files.", Journal::disk)
                .count("LiveBytes", "Bytes of them still needed.", Journal::live)
                .count("FailedWritesCount", "Batches whose write or force failed.", Journal::failedWrites);
    }

    private ReadOnlyBean destination(String name) {
        return new FigureBean<Destination>("Destination " + name, () -> destinations.get(name))
                .count(
                        "MessagesCurrentCount",
                        "Messages available now.",
                        d -> d.messages().current())
                .count(
                        "MessagesPendingCount",
                        "At consumers, delayed, uncommitted.",
                        d -> d.messages().pending())
                .count("MessagesHighCount", "Most at once.", d -> d.messages().high())
                .count(
                        "MessagesReceivedCount",
                        "Sent here since the start.",
                        d -> d.messages().total())
                .count(
                        "BytesCurrentCount",
                        "Bytes available now.",
                        d -> d.bytes().current())
                .count("BytesPendingCount", "Bytes pending.", d -> d.bytes().pending())
                .count("BytesHighCount", "Most bytes at once.", d -> d.bytes().high())
                .count(
                        "BytesReceivedCount",
                        "Bytes sent here since the start.",
                        d -> d.bytes().total())
                .number("ConsumersCurrentCount", "Consumers.", Destination::consumers)
                .number("ProducersCurrentCount", "Producers.", Destination::producers)
                .count("QuotaWaitsCount", "Sends that waited for room.", Destination::quotaWaits)
                .count("MessagesRedeliveredCount", "Messages that came back.", Destination::redelivered)
                .count("MessagesExpiredCount", "Messages expired.", Destination::expired)
                .count("MessagesFailedCount", "Messages over the redelivery limit.", Destination::failed)
                .flag("ProductionPaused", "Whether sends are refused.", Destination::productionPaused)
                .flag("InsertionPaused", "Whether commits are refused.", Destination::insertionPaused)
                .flag("ConsumptionPaused", "Whether nothing is delivered.", Destination::consumptionPaused)
                .count("SecondsStale", "Age of these figures when the muxer hangs.", Destination::staleSeconds);
    }

    private ReadOnlyBean session(String name) {
        return new FigureBean<Session>("Session " + name, () -> sessions.get(name))
                .text("User", "Who logged in.", Session::user)
                .text("ClientID", "The connection's client identifier.", Session::clientId)
                .text("HostAddress", "The client's address and port.", Session::address)
                .text("AcknowledgeMode", "How messages are acknowledged.", Session::mode)
                .flag("Transacted", "Whether it is transacted.", s -> s.mode().equals("transacted"))
                .number("MessagesMaximum", "The window in messages; -1 without limit.", Session::window)
                .number("MessagesOutstandingCount", "Messages in the window.", Session::outstanding)
                .flag("WindowBlocked", "Whether the window is full.", Session::blocked)
                .number("MessagesPendingCount", "Messages unacknowledged.", Session::unacknowledged)
                .number("ConsumersCurrentCount", "Consumers.", Session::consumers)
                .number("WaitingSendsCount", "Sends that wait for room or the disk.", Session::waitingSends)
                .count("OneWaySendsCount", "Sends without an answer.", Session::oneWay)
                .count("SecondsStale", "Age of these figures when the muxer hangs.", Session::staleSeconds);
    }
}
