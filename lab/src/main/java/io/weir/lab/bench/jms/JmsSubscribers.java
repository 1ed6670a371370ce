package io.weir.lab.bench.jms;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What each further subscriber of a topic costs the broker: its processor time for a message that is sent, with 1, 2, 4, 8
 * and 16 subscribers in turn. The first costs the message with one subscriber, which includes receiving it from its
 * producer; an extra one costs (with n - with 1) / (n - 1). Lives for one scenario; confined to its thread.
 */
final class JmsSubscribers {
    /** Cost of an extra subscriber by that of the first. */
    static final double TARGET = 0.3;

    private static final List<Integer> NUMBERS = List.of(1, 2, 4, 8, 16);
    private static final int WARM_UP_TURNS = 2;
    private final JmsBenchOptions options;
    private final boolean shared;
    private final Chance chance;
    private final PrintStream out;

    /** @param shared whether the subscribers are sessions of one connection */
    JmsSubscribers(JmsBenchOptions options, boolean shared, Chance chance, PrintStream out) {
        this.options = options;
        this.shared = shared;
        this.chance = chance;
        this.out = out;
    }

    /** The processor time of a message, by contender, number of subscribers and round. */
    void run(List<JmsContender> contenders) throws Exception {
        double[][][] micros = new double[contenders.size()][NUMBERS.size()][options.rounds()];
        for (JmsContender each : contenders) {
            for (int i = 0; i < WARM_UP_TURNS * NUMBERS.size(); i++) {
                turn(each, NUMBERS.get(i % NUMBERS.size()));
            }
        }
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line = new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ":");
            for (int n = 0; n < NUMBERS.size(); n++) {
                for (int c = 0; c < contenders.size(); c++) {
                    micros[c][n][round] = turn(contenders.get(c), NUMBERS.get(n));
                    line.append(String.format(
                            Locale.ROOT,
                            "  %s, %d: %.2f us",
                            contenders.get(c).name(),
                            NUMBERS.get(n),
                            micros[c][n][round]));
                }
            }
            out.println(line);
        }
        List<String> names = contenders.stream().map(JmsContender::name).toList();
        out.println();
        out.print(costs(names, micros));
        out.println();
        out.print(extras(names, micros, chance));
    }

    private double turn(JmsContender contender, int subscribers) throws Exception {
        return contender
                .turn(JmsScenario.subscribers(subscribers, shared, options.seconds()))
                .brokerMicrosOfSent();
    }

    static String costs(List<String> names, double[][][] micros) {
        List<String> heads = new ArrayList<>(List.of("broker CPU us/message sent"));
        NUMBERS.forEach(n -> heads.add(n == 1 ? "1 subscriber" : n + " subscribers"));
        Table table = new Table(heads.toArray(new String[0]));
        for (int c = 0; c < names.size(); c++) {
            List<String> cells = new ArrayList<>(List.of(names.get(c)));
            for (double[] rounds : micros[c]) {
                cells.add(String.format(Locale.ROOT, "%.2f", PairedRatio.median(rounds)));
            }
            table.row(cells.toArray(new String[0]));
        }
        return table.text();
    }

    static String extras(List<String> names, double[][][] micros, Chance chance) {
        Table table = new Table("an extra subscriber by the first", "ratio [95 % interval]", "target", "verdict");
        for (int c = 0; c < names.size(); c++) {
            for (int n = 1; n < NUMBERS.size(); n++) {
                PairedRatio ratio =
                        PairedRatio.of(extra(micros[c][n], micros[c][0], NUMBERS.get(n)), micros[c][0], chance);
                boolean judged = names.get(c).equals(JmsBench.WEIR);
                table.row(
                        names.get(c) + ", " + NUMBERS.get(n) + " subscribers",
                        ratio.text(),
                        judged ? "<= " + TARGET : "-",
                        judged ? TargetVerdict.of(ratio, TARGET).text() : "-");
            }
        }
        return table.text();
    }

    private static double[] extra(double[] with, double[] first, int number) {
        double[] extra = new double[with.length];
        for (int i = 0; i < extra.length; i++) {
            extra[i] = (with[i] - first[i]) / (number - 1);
        }
        return extra;
    }
}
