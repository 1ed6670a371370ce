package io.weir.lab.bench.jms;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.WeirServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The broker's memory for 10,000 idle consumers, ten in a session: a fresh broker for each figure, warmed up by messages,
 * then its resident memory and its heap after a collection, before and with the consumers. Lives for one scenario;
 * confined to its thread.
 */
final class JmsIdle {
    private static final int WARM_UP_TURNS = 2;
    private final JmsBenchOptions options;
    private final List<Starter> brokers;
    private final JmsBed bed;
    private final Chance chance;
    private final PrintStream out;

    /** Where the consumers are, and how many bytes each may take of the broker's resident memory. */
    enum Place {
        ONE("queue, one connection", JmsScenario.QUEUE_NAME, 1, 1024),
        THOUSAND("queue, 1,000 connections", JmsScenario.QUEUE_NAME, 1000, 2048),
        TOPIC("topic, one connection", JmsScenario.TOPIC_NAME, 1, 2048);

        private final String text;
        private final String destination;
        private final int connections;
        private final double target;

        Place(String text, String destination, int connections, double target) {
            this.text = text;
            this.destination = destination;
            this.connections = connections;
            this.target = target;
        }

        String text() {
            return text;
        }

        double target() {
            return target;
        }
    }

    /** Starts a fresh broker with its load. */
    interface Starter {
        JmsContender start() throws Exception;
    }

    /** The bytes of one consumer in each round. */
    static final class Series {
        private final String broker;
        private final Place place;
        private final double[] resident;
        private final double[] heap;

        Series(String broker, Place place, double[] resident, double[] heap) {
            this.broker = broker;
            this.place = place;
            this.resident = resident;
            this.heap = heap;
        }
    }

    JmsIdle(JmsBenchOptions options, List<Starter> brokers, JmsBed bed, Chance chance, PrintStream out) {
        this.options = options;
        this.brokers = brokers;
        this.bed = bed;
        this.chance = chance;
        this.out = out;
    }

    void run() throws Exception {
        List<Series> all = new ArrayList<>();
        for (Place place : Place.values()) {
            List<Series> of = new ArrayList<>();
            for (int round = 0; round < options.rounds(); round++) {
                for (int i = 0; i < brokers.size(); i++) {
                    int mark = bed.mark();
                    JmsContender broker = brokers.get(i).start();
                    if (round == 0) {
                        of.add(new Series(
                                broker.name(), place, new double[options.rounds()], new double[options.rounds()]));
                    }
                    measure(broker, of.get(i), round);
                    bed.stop(mark);
                }
            }
            all.addAll(of);
        }
        out.println();
        out.print(table(all, chance));
    }

    private void measure(JmsContender broker, Series series, int round) throws Exception {
        for (int i = 0; i < WARM_UP_TURNS; i++) {
            broker.turn(JmsScenario.QUEUE.turn(options.seconds(), 0));
        }
        Place place = series.place;
        long heap = WeirServer.usedHeap(broker.broker());
        long resident = BenchProcesses.residentBytes(broker.broker());
        double held = broker.turn(JmsScenario.idle(place.destination, place.connections))
                .measured()
                .done();
        if (held != JmsScenario.IDLE) {
            throw new BenchFailure(broker.name() + " holds " + held + " consumers");
        }
        series.heap[round] = (WeirServer.usedHeap(broker.broker()) - heap) / held;
        series.resident[round] = (BenchProcesses.residentBytes(broker.broker()) - resident) / held;
        out.printf(
                Locale.ROOT,
                "round %d of %d, %s: %s %.0f bytes a consumer, of these on the heap %.0f%n",
                round + 1,
                options.rounds(),
                place.text,
                broker.name(),
                series.resident[round],
                series.heap[round]);
    }

    static String table(List<Series> all, Chance chance) {
        Table table = new Table("bytes a consumer", "resident [95 % interval]", "heap", "target", "verdict");
        for (Series each : all) {
            PairedRatio resident = PairedRatio.ofMedian(each.resident, chance);
            boolean judged = each.broker.equals(JmsBench.WEIR);
            table.row(
                    each.place.text + ", " + each.broker,
                    bytes(resident),
                    bytes(PairedRatio.ofMedian(each.heap, chance)),
                    judged ? String.format(Locale.ROOT, "<= %.0f", each.place.target) : "-",
                    judged ? TargetVerdict.of(resident, each.place.target).text() : "-");
        }
        return table.text();
    }

    private static String bytes(PairedRatio median) {
        return String.format(Locale.ROOT, "%.0f [%.0f, %.0f]", median.median(), median.low(), median.high());
    }
}
