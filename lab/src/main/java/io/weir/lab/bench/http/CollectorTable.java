package io.weir.lab.bench.http;

import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.process.PauseLog;
import java.util.Locale;

/** The table of the collectors: a row for each server and amount of live data. Confined to its run's thread. */
final class CollectorTable {
    private final Table table = new Table(
            "collector, heap",
            "messages",
            "live MiB",
            "resident MiB",
            "p50",
            "p99",
            "p99.9",
            "most",
            "load late",
            "collections",
            "pauses longest / all",
            "stalls longest / number",
            "whole: p99.9",
            "most",
            "pauses longest / all",
            "stalls longest / number");

    /**
     * Adds a row.
     *
     * @param messages that wait
     * @param live bytes on the heap after a collection
     * @param resident bytes at the end
     * @param whole turns in which the whole heap is collected
     */
    void row(String name, int messages, long live, long resident, CollectedTurns plain, CollectedTurns whole) {
        table.row(
                name,
                String.valueOf(messages),
                String.valueOf(live >> 20),
                String.valueOf(resident >> 20),
                number(plain.median(SteadyLoad.Tail::p50)),
                number(plain.median(SteadyLoad.Tail::p99)),
                number(plain.median(SteadyLoad.Tail::p999)),
                number(plain.most()),
                number(plain.median(SteadyLoad.Tail::late)),
                String.valueOf(plain.pauses().collections()),
                pauses(plain.pauses()),
                stalls(plain.pauses()),
                number(whole.median(SteadyLoad.Tail::p999)),
                number(whole.most()),
                pauses(whole.pauses()),
                stalls(whole.pauses()));
    }

    String text() {
        return table.text();
    }

    private static String pauses(PauseLog.Pauses pauses) {
        return String.format(Locale.ROOT, "%.1f / %.0f", pauses.longest(), pauses.total());
    }

    private static String stalls(PauseLog.Pauses pauses) {
        return pauses.stalls() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f / %d", pauses.longestStall(), pauses.stalls());
    }

    private static String number(double micros) {
        return String.format(Locale.ROOT, "%.0f", micros);
    }
}
