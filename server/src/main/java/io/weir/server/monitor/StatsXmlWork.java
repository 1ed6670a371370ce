package io.weir.server.monitor;

import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/** Writes stats-xml's elements of work managers, request classes and constraints. Confined to the call. */
final class StatsXmlWork {
    private static final long NANOS_PER_TICK = 1_000_000_000L / StatsXml.TICKS_PER_SECOND;

    private final XmlOut xml;
    private final Predicate<String> on;

    StatsXmlWork(XmlOut xml, Predicate<String> on) {
        this.xml = xml;
        this.on = on;
    }

    void write(WorkFigures w) throws XMLStreamException {
        if (w.managers().isEmpty() || !on.test("work-bucket")) {
            return;
        }
        xml.start("work-bucket");
        xml.attribute("mode", w.mode().replace(' ', '-'));
        xml.attribute("countModeChanges", w.modeChanges());
        xml.attribute("state", w.overload().state());
        xml.attribute("countFailures", w.overload().failures());
        xml.attribute("countShared", w.overload().used());
        xml.attribute("maxShared", w.overload().limit());
        xml.attribute("countSharedRefused", w.overload().refused());
        xml.attribute("countSharedDisplaced", w.overload().displaced());
        if (on.test("work-manager-bucket")) {
            for (WorkFigures.Manager m : w.managers()) {
                manager(m);
            }
        }
        if (on.test("request-class-bucket")) {
            for (WorkFigures.RequestClass c : w.classes()) {
                requestClass(c);
            }
        }
        if (on.test("constraint-bucket")) {
            for (WorkFigures.Bound b : w.bounds()) {
                bound(b);
            }
        }
        xml.end();
    }

    private void manager(WorkFigures.Manager m) throws XMLStreamException {
        xml.empty("work-manager-bucket");
        xml.attribute("name", m.name());
        xml.attribute("mode", m.state().replace(' ', '-'));
        xml.attribute("countThreads", m.threads());
        xml.attribute("countThreadsStandby", m.standby());
        xml.attribute("countThreadsExtra", m.extra());
        xml.attribute("countThreadsHogging", m.hogging());
        xml.attribute("countThreadsStuck", m.stuck());
        xml.attribute("countStuckFound", m.found());
        xml.attribute("countShutDowns", m.shutDowns());
        xml.attribute("countCompleted", m.completed());
        xml.attribute("countRefused", m.refused());
    }

    private void requestClass(WorkFigures.RequestClass c) throws XMLStreamException {
        xml.empty("request-class-bucket");
        xml.attribute("name", c.name());
        xml.attribute("share", c.share());
        xml.attribute("countWaiting", c.waiting());
        xml.attribute("countCompleted", c.completed());
        xml.attribute("countWaits", c.waits());
        xml.attribute("ticksWaits", c.waitNanos() / NANOS_PER_TICK);
    }

    private void bound(WorkFigures.Bound b) throws XMLStreamException {
        xml.empty("constraint-bucket");
        xml.attribute("name", b.name());
        xml.attribute("kind", b.kind());
        xml.attribute("countUsed", b.used());
        xml.attribute("countWaiting", b.waiting());
        xml.attribute("countCompleted", b.ended());
        xml.attribute("countRefused", b.refused());
    }
}
