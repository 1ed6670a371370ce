package io.weir.server.monitor;

import static io.weir.server.monitor.PerfdumpLines.number;

import java.util.Locale;

/** Writes perfdump's sections of work managers, behind the sessions and in their style. Confined to the call. */
final class PerfdumpWork {
    private static final double NANOS_PER_MILLI = 1e6;

    private final PerfdumpLines out;

    PerfdumpWork(StringBuilder text) {
        this.out = new PerfdumpLines(text);
    }

    void write(WorkFigures w) {
        if (w.managers().isEmpty()) {
            return;
        }
        out.title("WorkInfo:", 41);
        out.line("State", w.overload().state());
        out.line("Failures", w.overload().failures());
        out.line(
                "Shared Capacity Used/Limit",
                w.overload().used() + "/" + w.overload().limit());
        out.line(
                "Shared Refusals/Displacements",
                w.overload().refused() + "/" + w.overload().displaced());
        out.line("Mode", w.mode());
        out.line("Mode Changes", w.modeChanges());
        out.blank();
        managers(w);
        if (!w.classes().isEmpty()) {
            classes(w);
        }
        if (!w.bounds().isEmpty()) {
            bounds(w);
        }
    }

    private void managers(WorkFigures w) {
        TextTable table = new TextTable(
                "WorkManager",
                "State",
                "Threads",
                "Standby",
                "Extra",
                "Hogging",
                "Stuck",
                "Found",
                "ShutDowns",
                "Completed",
                "Refused");
        for (WorkFigures.Manager m : w.managers()) {
            table.row(
                    m.name(),
                    m.state(),
                    number(m.threads()),
                    number(m.standby()),
                    number(m.extra()),
                    number(m.hogging()),
                    number(m.stuck()),
                    number(m.found()),
                    number(m.shutDowns()),
                    number(m.completed()),
                    number(m.refused()));
        }
        out.table("WorkManagers:", table, w.managers().size());
    }

    private void classes(WorkFigures w) {
        TextTable table = new TextTable("RequestClass", "Share", "Waiting", "Completed", "AverageWait");
        for (WorkFigures.RequestClass c : w.classes()) {
            table.row(
                    c.name(),
                    number(c.share()),
                    number(c.waiting()),
                    number(c.completed()),
                    String.format(Locale.ROOT, "%.3f ms", c.waitNanos() / NANOS_PER_MILLI / Math.max(1, c.waits())));
        }
        out.table("RequestClasses:", table, w.classes().size());
    }

    private void bounds(WorkFigures w) {
        TextTable table = new TextTable("Constraint", "Kind", "Used", "Waiting", "Completed", "Refused");
        for (WorkFigures.Bound b : w.bounds()) {
            table.row(
                    b.name(), b.kind(), number(b.used()), number(b.waiting()), number(b.ended()), number(b.refused()));
        }
        out.table("Constraints:", table, w.bounds().size());
    }
}
