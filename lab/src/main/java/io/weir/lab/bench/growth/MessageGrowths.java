package io.weir.lab.bench.growth;

import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The growths of messaging: their brokers, and one process of clients for all of them. Lives for one growth; confined to
 * its thread.
 */
final class MessageGrowths implements AutoCloseable {
    /** A million messages are beyond the usual heap; all steps have the same. */
    private static final String ROOMY_HEAP = "-Xmx3g";

    private static final String QUEUE = "destination=\"queue/" + GrowthConfigs.queue(0) + "\"";
    private static final String TOPIC = "destination=\"topic/t\"";

    private final Bed bed;
    private final WeirServer.Build build;
    private final long seed;
    private final LineProcess load;

    MessageGrowths(Bed bed, WeirServer.Build build, long seed) throws IOException, BenchFailure {
        this.bed = bed;
        this.build = build;
        this.seed = seed;
        this.load = LineProcess.start("the load", bed.onLoadCore(), MessagesCommand.class);
    }

    /** How a growth's servers are started and loaded. */
    GrowthSteps steps(Growth growth) {
        return switch (growth) {
            case QUEUES -> this::queues;
            case SUBSCRIBERS -> this::subscribers;
            case BACKLOG -> this::backlog;
            default -> throw new IllegalArgumentException(growth + " is not of messaging");
        };
    }

    /** That all queues are there the load finds out when it opens: it sends a message to each. */
    private List<Entrant> queues(List<Long> steps) throws Exception {
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(build, GrowthConfigs.messaging(Math.toIntExact(step)));
            open("queues", weir, step);
            entrants.add(new Entrant(contender(weir, step), Reaching.NONE, run(step), run(step), () -> 0));
        }
        return entrants;
    }

    /** One broker: the subscribers of a step come before its turn, and those of the step before it leave. */
    private List<Entrant> subscribers(List<Long> steps) throws Exception {
        WeirServer weir = bed.weir(build, GrowthConfigs.messaging(1));
        Statistics statistics = new Statistics(weir.port("admin"), "");
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            Contender plain = contender(weir, step);
            Contender contender = new Contender(plain.name(), plain.pid(), plain.url(), true, false, () -> {
                for (long each : steps) {
                    load.order("close " + each);
                }
                open("topic", weir, step);
            });
            entrants.add(new Entrant(contender, Reaching.NONE, run(step), run(step), () -> {
                exactly("subscribers", statistics.sum("weir_destination_consumers", TOPIC), step);
                return 0;
            }));
        }
        return entrants;
    }

    private List<Entrant> backlog(List<Long> steps) throws Exception {
        List<String> options = new ArrayList<>(build.options());
        options.add(ROOMY_HEAP);
        WeirServer.Build roomy = new WeirServer.Build(build.jar(), options);
        List<Entrant> entrants = new ArrayList<>();
        for (long step : steps) {
            WeirServer weir = bed.weir(roomy, GrowthConfigs.messaging(1));
            open("backlog", weir, step);
            Statistics statistics = new Statistics(weir.port("admin"), "");
            entrants.add(new Entrant(contender(weir, step), Reaching.NONE, run(step), run(step), () -> {
                double waiting = statistics.sum("weir_destination_messages_current", QUEUE)
                        + statistics.sum("weir_destination_messages_pending", QUEUE);
                exactly("messages that wait", waiting, step);
                return 0;
            }));
        }
        return entrants;
    }

    private static Contender contender(WeirServer weir, long step) {
        return Contender.of(Growth.number(step), weir.pid(), weir.port("messaging"), "", true);
    }

    private void open(String kind, WeirServer weir, long step) throws IOException, BenchFailure {
        String answer = load.order("open " + kind + " " + step + " " + weir.port("messaging") + " " + step);
        if (!answer.equals("open")) {
            throw new BenchFailure("the load of " + Growth.number(step) + " says: " + answer);
        }
    }

    private LoadRun run(long step) {
        return (_, seconds) -> Counts.found("the load", load.order("run " + step + " " + seconds + " " + seed));
    }

    private static void exactly(String what, double found, long wanted) throws BenchFailure {
        if (found != wanted) {
            throw new BenchFailure("there are " + Growth.number((long) found) + " " + what + ", not "
                    + Growth.number(wanted) + ": something else would be measured");
        }
    }

    @Override
    public void close() {
        load.close();
    }
}
