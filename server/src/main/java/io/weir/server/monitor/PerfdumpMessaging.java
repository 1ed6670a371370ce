package io.weir.server.monitor;

import static io.weir.server.monitor.PerfdumpLines.number;
import static io.weir.server.monitor.PerfdumpLines.yes;

import io.weir.server.monitor.MessagingFigures.Connection;
import io.weir.server.monitor.MessagingFigures.Destination;
import io.weir.server.monitor.MessagingFigures.Journal;
import io.weir.server.monitor.MessagingFigures.Session;
import io.weir.server.monitor.MessagingFigures.Temporaries;
import io.weir.server.monitor.MessagingFigures.Totals;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes perfdump's sections of messaging, behind those of the Sun proxy and in their style. Confined to the call. */
final class PerfdumpMessaging {
    private static final double NANOS_PER_MILLI = 1e6;

    private final PerfdumpLines out;

    PerfdumpMessaging(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(MessagingFigures m) {
        totals(m.totals());
        Journal journal = m.journal();
        if (journal != null) {
            journal(journal);
        }
        destinations(m.destinations());
        connections(m.connections(), m.totals().connections());
        sessions(m.sessions(), m.totals().sessions());
    }

    private void totals(Totals t) {
        Temporaries v = t.temporaries();
        out.title("MessagingInfo:", 41);
        out.line("Connections", t.connections());
        out.line("Sessions", t.sessions());
        out.line("Blocked Sessions", t.blockedSessions());
        out.line("One-Way Sends/Dropped", t.oneWay() + "/" + t.oneWayDropped());
        out.line("Receives/Timeouts", t.receives() + "/" + t.receiveTimeouts());
        out.line("Committed/Rolled Back", t.committed() + "/" + t.rolledBack());
        out.line("Refused Requests", t.refused());
        out.line("Slow Consumers", t.slowConsumers());
        out.line("Temporary Destinations", v.count());
        out.line(
                "Temporary Messages Current/Total/Pending",
                v.messages() + "/" + v.messagesTotal() + "/" + v.messagesPending());
        out.line("Temporary Bytes Current/Total/Pending", v.bytes() + "/" + v.bytesTotal() + "/" + v.bytesPending());
        if (!t.hanging().isEmpty()) {
            out.line("Hanging Muxers", t.hanging().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        out.blank();
    }

    private void journal(Journal j) {
        out.title("JournalInfo " + j.name() + ":", 41);
        out.line("State", state(j));
        out.line("Records", j.records());
        out.line("Forces", j.forces());
        out.line("Records per Force", String.format(Locale.ROOT, "%.2f", per(j.records(), j.forces())));
        out.line(
                "Force Latency Average/50%/99%/Most",
                String.format(
                        Locale.ROOT,
                        "%.3f/%.3f/%.3f/%.3f milliseconds",
                        per(j.forceTotal(), j.forces()) / NANOS_PER_MILLI,
                        j.force50() / NANOS_PER_MILLI,
                        j.force99() / NANOS_PER_MILLI,
                        j.forceMax() / NANOS_PER_MILLI));
        out.line("Bytes Written", j.bytes());
        out.line("Segments", j.segments());
        out.line("Disk Bytes", j.disk());
        out.line("Live Ratio", Perfdump.ratio(j.live(), j.disk()));
        out.line("Live Entries", j.entries());
        out.line("Groups Queued", j.queued());
        out.line("Entries Never Written", j.skipped());
        out.line("Refused/Failed Writes", j.refused() + "/" + j.failedWrites());
        out.blank();
    }

    private static String state(Journal j) {
        String fault = j.suspended();
        return fault == null ? "ok" : "suspended: " + TextTable.printable(fault);
    }

    private void destinations(List<Destination> all) {
        TextTable table = new TextTable(
                "Destination",
                "Messages",
                "High",
                "Total",
                "Pending",
                "Bytes",
                "BytesHigh",
                "BytesTotal",
                "BytesPending",
                "Consumers",
                "Producers",
                "QuotaWaits",
                "Redelivered",
                "Expired",
                "Paused",
                "AsOf");
        for (Destination d : MessagingFigures.shown(all)) {
            table.row(
                    d.name(),
                    number(d.messages().current()),
                    number(d.messages().high()),
                    number(d.messages().total()),
                    number(d.messages().pending()),
                    number(d.bytes().current()),
                    number(d.bytes().high()),
                    number(d.bytes().total()),
                    number(d.bytes().pending()),
                    number(d.consumers()),
                    number(d.producers()),
                    number(d.quotaWaits()),
                    number(d.redelivered()),
                    number(d.expired()),
                    d.paused(),
                    asOf(d.staleSeconds()));
        }
        out.table("Destinations:", table, all.size());
    }

    private void connections(List<Connection> all, int count) {
        TextTable table = new TextTable(
                "Connection",
                "User",
                "ClientID",
                "Address",
                "Started",
                "Sessions",
                "Blocked",
                "Unacknowledged",
                "Temporaries",
                "WaitingBytes",
                "AsOf");
        for (Connection c : MessagingFigures.shown(all)) {
            table.row(
                    Long.toHexString(c.id()),
                    c.user(),
                    c.clientId(),
                    c.address(),
                    yes(c.started()),
                    number(c.sessions()),
                    number(c.blocked()),
                    number(c.unacknowledged()),
                    number(c.temporaries()),
                    number(c.waitingBytes()),
                    asOf(c.staleSeconds()));
        }
        out.table("MessagingConnections:", table, count);
    }

    private void sessions(List<Session> all, int count) {
        TextTable table = new TextTable(
                "Connection",
                "Session",
                "User",
                "ClientID",
                "Mode",
                "Window",
                "Blocked",
                "OneWay",
                "Unacknowledged",
                "Consumers",
                "WaitingSends",
                "AsOf");
        for (Session s : MessagingFigures.shown(all)) {
            table.row(
                    Long.toHexString(s.connection()),
                    number(s.number()),
                    s.user(),
                    s.clientId(),
                    s.mode(),
                    s.outstanding() + "/" + (s.window() < 0 ? "unlimited" : number(s.window())),
                    yes(s.blocked()),
                    number(s.oneWay()),
                    number(s.unacknowledged()),
                    number(s.consumers()),
                    number(s.waitingSends()),
                    asOf(s.staleSeconds()));
        }
        out.table("MessagingSessions:", table, count);
    }

    /** Empty while the figures are of the latest second. */
    private static String asOf(long staleSeconds) {
        return staleSeconds == 0 ? "" : staleSeconds + " seconds ago";
    }

    private static double per(long total, long n) {
        return n == 0 ? 0 : (double) total / n;
    }
}
