package io.weir.server.monitor;

import static io.weir.server.monitor.MessagingFigures.MAX_ROWS;

import io.weir.server.monitor.MessagingFigures.Connection;
import io.weir.server.monitor.MessagingFigures.Destination;
import io.weir.server.monitor.MessagingFigures.Journal;
import io.weir.server.monitor.MessagingFigures.Session;
import io.weir.server.monitor.MessagingFigures.Temporaries;
import io.weir.server.monitor.MessagingFigures.Totals;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes perfdump's sections of messaging, behind those of the seed and in their style. Confined to the call. */
final class PerfdumpMessaging {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int VALUE_COLUMN = 43;

    private final StringBuilder text;

    PerfdumpMessaging(StringBuilder text) {
        this.text = text;
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
        title("MessagingInfo:", 41);
        line("Connections", t.connections());
        line("Sessions", t.sessions());
        line("Blocked Sessions", t.blockedSessions());
        line("One-Way Sends/Dropped", t.oneWay() + "/" + t.oneWayDropped());
        line("Receives/Timeouts", t.receives() + "/" + t.receiveTimeouts());
        line("Committed/Rolled Back", t.committed() + "/" + t.rolledBack());
        line("Refused Requests", t.refused());
        line("Slow Consumers", t.slowConsumers());
        line("Temporary Destinations", v.count());
        line(
                "Temporary Messages Current/Total/Pending",
                v.messages() + "/" + v.messagesTotal() + "/" + v.messagesPending());
        line("Temporary Bytes Current/Total/Pending", v.bytes() + "/" + v.bytesTotal() + "/" + v.bytesPending());
        if (!t.hanging().isEmpty()) {
            line("Hanging Muxers", t.hanging().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        blank();
    }

    private void journal(Journal j) {
        title("JournalInfo " + j.name() + ":", 41);
        line("State", state(j));
        line("Records", j.records());
        line("Forces", j.forces());
        line("Records per Force", String.format(Locale.ROOT, "%.2f", per(j.records(), j.forces())));
        line(
                "Force Latency Average/50%/99%/Most",
                String.format(
                        Locale.ROOT,
                        "%.3f/%.3f/%.3f/%.3f milliseconds",
                        per(j.forceTotal(), j.forces()) / NANOS_PER_MILLI,
                        j.force50() / NANOS_PER_MILLI,
                        j.force99() / NANOS_PER_MILLI,
                        j.forceMax() / NANOS_PER_MILLI));
        line("Bytes Written", j.bytes());
        line("Segments", j.segments());
        line("Disk Bytes", j.disk());
        line("Live Ratio", Perfdump.ratio(j.live(), j.disk()));
        line("Live Entries", j.entries());
        line("Groups Queued", j.queued());
        line("Entries Never Written", j.skipped());
        line("Refused/Failed Writes", j.refused() + "/" + j.failedWrites());
        blank();
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
                    text(d.messages().current()),
                    text(d.messages().high()),
                    text(d.messages().total()),
                    text(d.messages().pending()),
                    text(d.bytes().current()),
                    text(d.bytes().high()),
                    text(d.bytes().total()),
                    text(d.bytes().pending()),
                    text(d.consumers()),
                    text(d.producers()),
                    text(d.quotaWaits()),
                    text(d.redelivered()),
                    text(d.expired()),
                    d.paused(),
                    asOf(d.staleSeconds()));
        }
        table("Destinations:", table, all.size());
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
                    text(c.sessions()),
                    text(c.blocked()),
                    text(c.unacknowledged()),
                    text(c.temporaries()),
                    text(c.waitingBytes()),
                    asOf(c.staleSeconds()));
        }
        table("MessagingConnections:", table, count);
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
                    text(s.number()),
                    s.user(),
                    s.clientId(),
                    s.mode(),
                    s.outstanding() + "/" + (s.window() < 0 ? "unlimited" : text(s.window())),
                    yes(s.blocked()),
                    text(s.oneWay()),
                    text(s.unacknowledged()),
                    text(s.consumers()),
                    text(s.waitingSends()),
                    asOf(s.staleSeconds()));
        }
        table("MessagingSessions:", table, count);
    }

    private void table(String title, TextTable table, int count) {
        title(title, table.width());
        text.append(table.text());
        if (count > table.rows()) {
            text.append(table.rows() + " of " + count + " are shown, at most " + MAX_ROWS + "\n");
        }
        blank();
    }

    /** Empty while the figures are of the latest second. */
    private static String asOf(long staleSeconds) {
        return staleSeconds == 0 ? "" : staleSeconds + " seconds ago";
    }

    private static String yes(boolean flag) {
        return flag ? "yes" : "no";
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private static double per(long total, long n) {
        return n == 0 ? 0 : (double) total / n;
    }

    /** A label and its value, in the columns of ConnectionQueue. */
    private void line(String label, String value) {
        text.append(label).repeat(' ', VALUE_COLUMN - label.length()).append(value);
        blank();
    }

    private void line(String label, long value) {
        line(label, Long.toString(value));
    }

    private void title(String title, int dashes) {
        text.append(title).append('\n').repeat('-', dashes).append('\n');
    }

    private void blank() {
        text.append('\n');
    }
}
