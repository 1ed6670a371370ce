package io.weir.lab.bench.jms;

import io.weir.lab.bench.figures.Table;
import io.weir.lab.jmsload.Measured;
import io.weir.lab.jmsload.Turn;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The case study of the tuning series: non-persistent messages of 1 KB to a topic, 1 to 8 producer threads, one synchronous
 * AUTO_ACKNOWLEDGE consumer; as shipped, with quotas, with one-way sends, with prefetch and MessagesMaximum 300. Lives for
 * one run.
 */
final class JmsCaseStudy {
    private static final int MOST_PRODUCERS = 8;
    private static final int WARM_UP_TURNS = 3;
    private static final int BYTES = 1024;
    private static final int BAR = 40;
    private final JmsBenchOptions options;
    private final List<JmsContender> contenders;
    private final PrintStream out;

    /** A row of the study, with its factory and topic. */
    private record Row(String name, String factory, String topic) {}

    /** The results with one number of producers. */
    private record Point(int producers, Measured measured, double twoSubscribers) {}

    JmsCaseStudy(JmsBenchOptions options, List<JmsContender> contenders, PrintStream out) {
        this.options = options;
        this.contenders = contenders;
        this.out = out;
    }

    void run() throws Exception {
        List<Row> rows = rows();
        List<List<Point>> all = new ArrayList<>();
        for (Row row : rows) {
            all.add(points(contenders.getFirst(), row));
        }
        if (contenders.size() > 1) {
            Row peer = new Row("artemis", JmsScenario.FACTORY, JmsScenario.TOPIC_NAME);
            rows.add(peer);
            all.add(points(contenders.get(1), peer));
        }
        double best = all.stream()
                .flatMap(List::stream)
                .mapToDouble(p -> p.measured().perSecond())
                .max()
                .orElse(1);
        Table table = new Table(
                "settings",
                "producers",
                "messages/s",
                "deviation",
                "consumer busy",
                "messages/s of each of two subscribers");
        List<String> chart = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            lines(table, rows.get(i).name(), all.get(i));
            chart(chart, rows.get(i).name(), all.get(i), best);
        }
        out.println();
        out.print(table.text());
        out.println();
        chart.forEach(out::println);
    }

    private static List<Row> rows() {
        return new ArrayList<>(List.of(
                new Row("base", JmsWeir.BASE, "plain-topic"),
                new Row("quotas", JmsWeir.QUOTAS, JmsScenario.TOPIC_NAME),
                new Row("one-way sends", JmsWeir.ONE_WAY, JmsScenario.TOPIC_NAME),
                new Row("prefetch, MessagesMaximum 300", JmsWeir.PREFETCH, JmsScenario.TOPIC_NAME)));
    }

    private List<Point> points(JmsContender contender, Row row) throws Exception {
        for (int i = 0; i < WARM_UP_TURNS; i++) {
            contender.turn(turn(row, 2, 1));
        }
        List<Point> points = new ArrayList<>();
        for (int producers = 1; producers <= MOST_PRODUCERS; producers++) {
            Measured typical = median(contender, turn(row, producers, 1));
            double two = contender.turn(turn(row, producers, 2)).measured().perSecond() / 2;
            points.add(new Point(producers, typical, two));
            out.println(
                    String.format(Locale.ROOT, "%s, %d producers: %.0f/s", row.name(), producers, typical.perSecond()));
        }
        return points;
    }

    /** The median turn of a third of the rounds. */
    private Measured median(JmsContender contender, Turn turn) throws Exception {
        List<Measured> turns = new ArrayList<>();
        for (int i = 0; i < Math.max(1, options.rounds() / 3); i++) {
            turns.add(contender.turn(turn).measured());
        }
        turns.sort(Comparator.comparingDouble(Measured::perSecond));
        return turns.get(turns.size() / 2);
    }

    private Turn turn(Row row, int producers, int subscribers) {
        return new Turn(
                "flow",
                row.factory(),
                row.topic(),
                producers,
                subscribers,
                0,
                0,
                false,
                false,
                false,
                BYTES,
                0,
                options.seconds() * 1000L);
    }

    private static void lines(Table table, String name, List<Point> points) {
        for (Point each : points) {
            Measured m = each.measured();
            table.row(
                    name,
                    String.valueOf(each.producers()),
                    String.format(Locale.ROOT, "%.0f", m.perSecond()),
                    String.format(Locale.ROOT, "%.0f %%", 100 * m.deviation()),
                    String.format(Locale.ROOT, "%.0f %%", 100 * m.busy()),
                    String.format(Locale.ROOT, "%.0f", each.twoSubscribers()));
        }
    }

    private static void chart(List<String> lines, String name, List<Point> points, double best) {
        lines.add(name);
        for (Point each : points) {
            double rate = each.measured().perSecond();
            lines.add(String.format(
                    Locale.ROOT,
                    "  %d %s %.0f",
                    each.producers(),
                    "#".repeat((int) Math.round(rate / Math.max(1, best) * BAR)),
                    rate));
        }
    }
}
