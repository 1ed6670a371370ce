package io.weir.lab.bench.jms;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.peer.Targets;
import java.util.List;
import java.util.Locale;

/** The results of a run of the messaging benchmark, as Markdown. Stateless. */
final class JmsFindings {
    /** Messages a second of this build against another one. */
    private static final double OTHER_RATE = 0.98;

    private JmsFindings() {}

    static String figures(List<JmsSeries> series, JmsScenario scenario) {
        return switch (scenario) {
            case TRIPS, PACED -> latencies(series);
            case CONNECTS, CONNECTS_TLS, SESSIONS -> openings(series, scenario.unit());
            default -> rates(series);
        };
    }

    private static String openings(List<JmsSeries> series, String unit) {
        Table table = new Table("broker", unit + "s/s", "broker CPU us/" + unit, "clients CPU us/" + unit);
        for (JmsSeries each : series) {
            table.row(
                    each.name(),
                    whole(each.median(f -> f.measured().perSecond())),
                    tenth(each.median(JmsContender.Figures::brokerMicros)),
                    tenth(each.median(JmsContender.Figures::clientMicros)));
        }
        return table.text();
    }

    private static String rates(List<JmsSeries> series) {
        Table table = new Table(
                "broker",
                "messages/s received",
                "sent/s",
                "deviation",
                "broker CPU us/message",
                "clients CPU us/message");
        for (JmsSeries each : series) {
            table.row(
                    each.name(),
                    whole(each.median(f -> f.measured().perSecond())),
                    whole(each.median(f -> f.measured().sent() / f.measured().seconds())),
                    String.format(
                            Locale.ROOT,
                            "%.0f %%",
                            100 * each.median(f -> f.measured().deviation())),
                    tenth(each.median(JmsContender.Figures::brokerMicros)),
                    tenth(each.median(JmsContender.Figures::clientMicros)));
        }
        return table.text();
    }

    private static String latencies(List<JmsSeries> series) {
        Table table = new Table(
                "broker", "round trips/s", "p50 us", "p99 us", "p99.9 us", "max us", "broker CPU us/round trip");
        for (JmsSeries each : series) {
            table.row(
                    each.name(),
                    whole(each.median(f -> f.measured().perSecond())),
                    whole(each.median(f -> f.measured().p50())),
                    whole(each.median(f -> f.measured().p99())),
                    whole(each.median(f -> f.measured().p999())),
                    whole(each.median(f -> f.measured().max())),
                    tenth(each.median(JmsContender.Figures::brokerMicros)));
        }
        return table.text();
    }

    /** The first of the series against each of the others. */
    static String ratios(List<JmsSeries> series, JmsScenario scenario, Chance chance) {
        if (series.size() < 2) {
            return "";
        }
        Table table = new Table("what", "ratio [95 % interval]", "target", "verdict");
        JmsSeries weir = series.getFirst();
        for (JmsSeries peer : series.subList(1, series.size())) {
            PairedRatio rate = PairedRatio.of(weir.rates(), peer.rates(), chance);
            PairedRatio cpu = PairedRatio.of(weir.brokerMicros(), peer.brokerMicros(), chance);
            boolean peers = !peer.name().equals(JmsBench.OTHER);
            double least = peers ? scenario.rateTarget() : OTHER_RATE;
            double most = peers ? scenario.cpuTarget() : Targets.NO_DEARER;
            table.row(
                    scenario.unit() + "s/s, " + weir.name() + " / " + peer.name(),
                    rate.text(),
                    least > 0 ? ">= " + least : "-",
                    least > 0 ? TargetVerdict.atLeast(rate, least).text() : "-");
            table.row(
                    "broker CPU a " + scenario.unit() + ", " + weir.name() + " / " + peer.name(),
                    cpu.text(),
                    most > 0 ? "<= " + most : "-",
                    most > 0 ? TargetVerdict.of(cpu, most).text() : "-");
        }
        return table.text();
    }

    private static String whole(double figure) {
        return String.format(Locale.ROOT, "%.0f", figure);
    }

    private static String tenth(double figure) {
        return String.format(Locale.ROOT, "%.1f", figure);
    }
}
