package io.weir.server.monitor;

import static io.weir.server.monitor.ClusterFigures.shown;

import io.weir.server.monitor.ClusterFigures.Lease;
import io.weir.server.monitor.ClusterFigures.Member;
import io.weir.server.monitor.ClusterFigures.Singleton;
import io.weir.server.monitor.ClusterFigures.Timer;
import io.weir.server.monitor.ClusterFigures.Totals;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of the cluster. Confined to the call. */
final class StatsXmlCluster {
    private static final long NANOS_PER_TICK = 1_000_000_000L / StatsXml.TICKS_PER_SECOND;

    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlCluster(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(ClusterFigures c) throws XMLStreamException {
        xml.start("cluster-bucket");
        totals(c.totals());
        if (on.test("cluster-member-bucket")) {
            for (Member m : shown(c.members())) {
                member(m);
            }
        }
        if (on.test("cluster-lease-bucket")) {
            for (Lease l : shown(c.leases())) {
                lease(l);
            }
        }
        if (on.test("cluster-singleton-bucket")) {
            for (Singleton s : shown(c.singletons())) {
                singleton(s);
            }
        }
        if (on.test("cluster-timer-bucket")) {
            for (Timer t : shown(c.timers())) {
                timer(t);
            }
        }
        xml.end();
    }

    private void totals(Totals t) throws XMLStreamException {
        xml.attribute("name", t.cluster());
        xml.attribute("member", t.member());
        xml.attribute("leasing", t.leasing());
        xml.attribute("role", t.role());
        xml.attribute("leader", t.leader());
        xml.attribute("countTerms", t.term());
        xml.attribute("countEntriesApplied", t.applied());
        xml.attribute("countEntriesCommitted", t.committed());
        xml.attribute("countMembersLive", t.live());
        xml.attribute("countMembers", t.known());
        xml.attribute("countLeasesHeld", t.held());
        xml.attribute("countSingletonsActive", t.active());
        xml.attribute("countRenewals", t.renewals());
        xml.attribute("countRenewalsFailed", t.renewalsFailed());
        xml.attribute("countExpired", t.expired());
        xml.attribute("countTransitions", t.transitions());
        xml.attribute("countFenceRefusals", t.fenceRefusals());
        xml.attribute("countActivations", t.activations());
        xml.attribute("ticksActivation50Percent", t.activation50() / NANOS_PER_TICK);
        xml.attribute("ticksActivation99Percent", t.activation99() / NANOS_PER_TICK);
        xml.attribute("maxTicksActivation", t.activationMax() / NANOS_PER_TICK);
        xml.attribute("maxShown", ClusterFigures.MAX_ROWS);
        xml.attribute("outage", t.outage());
    }

    private void member(Member m) throws XMLStreamException {
        xml.empty("cluster-member-bucket");
        xml.attribute("name", m.name());
        xml.attribute("mode", m.state());
        xml.attribute("flagSelf", m.self());
        xml.attribute("flagLeader", m.leader());
        xml.attribute("flagWitness", m.witness());
        xml.attribute("address", m.address());
        xml.attribute("countLag", m.lag());
        xml.attribute("incarnation", m.incarnation());
    }

    private void lease(Lease l) throws XMLStreamException {
        xml.empty("cluster-lease-bucket");
        xml.attribute("name", l.name());
        xml.attribute("owner", l.owner());
        xml.attribute("fence", l.fence());
        xml.attribute("millisLeft", l.millisLeft());
        xml.attribute("flagEstimated", l.estimated());
        xml.attribute("countTransitions", l.transitions());
    }

    private void singleton(Singleton s) throws XMLStreamException {
        xml.empty("cluster-singleton-bucket");
        xml.attribute("name", s.name());
        xml.attribute("mode", s.phase());
        xml.attribute("member", s.member());
        xml.attribute("preferred", s.preferred());
        xml.attribute("fence", s.fence());
        xml.attribute("ticksActivation", s.activationNanos() / NANOS_PER_TICK);
        xml.attribute("reason", s.reason());
    }

    private void timer(Timer t) throws XMLStreamException {
        xml.empty("cluster-timer-bucket");
        xml.attribute("id", t.id());
        xml.attribute("schedule", t.schedule());
        xml.attribute("zone", t.zone());
        xml.attribute("timeLast", t.last());
        xml.attribute("timeNext", t.next());
        xml.attribute("countFirings", t.firings());
        xml.attribute("flagPaused", t.paused());
        xml.attribute("failure", t.failure());
    }
}
