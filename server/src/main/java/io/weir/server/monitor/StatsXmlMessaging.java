package io.weir.server.monitor;

import static io.weir.server.monitor.MessagingFigures.shown;

import io.weir.server.monitor.MessagingFigures.Amounts;
import io.weir.server.monitor.MessagingFigures.Connection;
import io.weir.server.monitor.MessagingFigures.Destination;
import io.weir.server.monitor.MessagingFigures.Journal;
import io.weir.server.monitor.MessagingFigures.Session;
import io.weir.server.monitor.MessagingFigures.Temporaries;
import io.weir.server.monitor.MessagingFigures.Totals;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of messaging. Confined to the call. */
final class StatsXmlMessaging {
    private static final long NANOS_PER_TICK = 1_000_000_000L / StatsXml.TICKS_PER_SECOND;

    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlMessaging(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(MessagingFigures m) throws XMLStreamException {
        xml.start("jms-bucket");
        totals(m);
        Journal journal = m.journal();
        if (journal != null && on.test("jms-journal-bucket")) {
            journal(journal);
        }
        if (on.test("jms-destination-bucket")) {
            for (Destination d : shown(m.destinations())) {
                destination(d);
            }
        }
        if (on.test("jms-connection-bucket")) {
            for (Connection c : shown(m.connections())) {
                connection(c);
            }
        }
        if (on.test("jms-session-bucket")) {
            for (Session s : shown(m.sessions())) {
                session(s);
            }
        }
        xml.end();
    }

    private void totals(MessagingFigures m) throws XMLStreamException {
        Totals t = m.totals();
        xml.attribute("countDestinations", m.destinations().size());
        xml.attribute("countConnections", t.connections());
        xml.attribute("countSessions", t.sessions());
        xml.attribute("maxShown", MessagingFigures.MAX_ROWS);
        xml.attribute("countBlockedSessions", t.blockedSessions());
        xml.attribute("countOneWaySends", t.oneWay());
        xml.attribute("countOneWayDropped", t.oneWayDropped());
        xml.attribute("countReceives", t.receives());
        xml.attribute("countReceiveTimeouts", t.receiveTimeouts());
        xml.attribute("countCommitted", t.committed());
        xml.attribute("countRolledBack", t.rolledBack());
        xml.attribute("countRefused", t.refused());
        xml.attribute("countSlowConsumers", t.slowConsumers());
        temporaries(t.temporaries());
        xml.attribute("countHangingMuxers", t.hanging().size());
    }

    private void temporaries(Temporaries t) throws XMLStreamException {
        xml.attribute("countTemporaryDestinations", t.count());
        xml.attribute("countTemporaryMessages", t.messages());
        xml.attribute("countTotalTemporaryMessages", t.messagesTotal());
        xml.attribute("countPendingTemporaryMessages", t.messagesPending());
        xml.attribute("sizeTemporaryMessages", t.bytes());
        xml.attribute("sizeTotalTemporaryMessages", t.bytesTotal());
        xml.attribute("sizePendingTemporaryMessages", t.bytesPending());
    }

    private void amounts(Amounts messages, Amounts bytes) throws XMLStreamException {
        xml.attribute("countMessages", messages.current());
        xml.attribute("peakMessages", messages.high());
        xml.attribute("countTotalMessages", messages.total());
        xml.attribute("countPendingMessages", messages.pending());
        xml.attribute("sizeMessages", bytes.current());
        xml.attribute("peakSizeMessages", bytes.high());
        xml.attribute("sizeTotalMessages", bytes.total());
        xml.attribute("sizePendingMessages", bytes.pending());
    }

    private void journal(Journal j) throws XMLStreamException {
        xml.empty("jms-journal-bucket");
        xml.attribute("name", j.name());
        xml.attribute("mode", j.suspended() == null ? "active" : "suspended");
        xml.attribute("countRecords", j.records());
        xml.attribute("countForces", j.forces());
        xml.attribute("ticksTotalForce", j.forceTotal() / NANOS_PER_TICK);
        xml.attribute("ticksForce50Percent", j.force50() / NANOS_PER_TICK);
        xml.attribute("ticksForce99Percent", j.force99() / NANOS_PER_TICK);
        xml.attribute("maxTicksForce", j.forceMax() / NANOS_PER_TICK);
        xml.attribute("countBytesWritten", j.bytes());
        xml.attribute("countSegments", j.segments());
        xml.attribute("sizeDisk", j.disk());
        xml.attribute("sizeLive", j.live());
        xml.attribute("countLiveEntries", j.entries());
        xml.attribute("countQueued", j.queued());
        xml.attribute("countNeverWritten", j.skipped());
        xml.attribute("countRefused", j.refused());
        xml.attribute("countFailedWrites", j.failedWrites());
    }

    private void destination(Destination d) throws XMLStreamException {
        xml.empty("jms-destination-bucket");
        xml.attribute("name", d.name());
        amounts(d.messages(), d.bytes());
        xml.attribute("countConsumers", d.consumers());
        xml.attribute("countProducers", d.producers());
        xml.attribute("quota", d.quota());
        xml.attribute("countQuotaWaits", d.quotaWaits());
        xml.attribute("countDelivered", d.delivered());
        xml.attribute("countAcknowledged", d.acknowledged());
        xml.attribute("countRedelivered", d.redelivered());
        xml.attribute("countExpired", d.expired());
        xml.attribute("countFailed", d.failed());
        xml.attribute("countOverrun", d.overrun());
        xml.attribute("flagProductionPaused", d.productionPaused());
        xml.attribute("flagInsertionPaused", d.insertionPaused());
        xml.attribute("flagConsumptionPaused", d.consumptionPaused());
        xml.attribute("secondsStale", d.staleSeconds());
    }

    private void connection(Connection c) throws XMLStreamException {
        xml.empty("jms-connection-bucket");
        xml.attribute("id", Long.toHexString(c.id()));
        xml.attribute("user", c.user());
        xml.attribute("clientId", c.clientId());
        xml.attribute("addressClient", c.address());
        xml.attribute("flagStarted", c.started());
        xml.attribute("countSessions", c.sessions());
        xml.attribute("countBlockedSessions", c.blocked());
        xml.attribute("countUnacknowledged", c.unacknowledged());
        xml.attribute("countTemporaryDestinations", c.temporaries());
        xml.attribute("sizeWaiting", c.waitingBytes());
        xml.attribute("secondsStale", c.staleSeconds());
    }

    private void session(Session s) throws XMLStreamException {
        xml.empty("jms-session-bucket");
        xml.attribute("connection", Long.toHexString(s.connection()));
        xml.attribute("number", s.number());
        xml.attribute("mode", s.mode());
        xml.attribute("countWindow", s.outstanding());
        xml.attribute("maxWindow", s.window());
        xml.attribute("flagBlocked", s.blocked());
        xml.attribute("countOneWaySends", s.oneWay());
        xml.attribute("countUnacknowledged", s.unacknowledged());
        xml.attribute("countConsumers", s.consumers());
        xml.attribute("countWaitingSends", s.waitingSends());
        xml.attribute("flagStarted", s.started());
        xml.attribute("secondsStale", s.staleSeconds());
    }
}
