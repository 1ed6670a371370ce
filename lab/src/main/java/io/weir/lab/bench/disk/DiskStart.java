package io.weir.lab.bench.disk;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.WeirServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Starts servers whose caches hold many objects, and asks them from the first moment: when they answer, when an object
 * that was stored is answered from the cache, and when all of a sample are. Lives for one run; confined to its thread.
 */
final class DiskStart {
    private static final long MIB = 1 << 20;
    private static final String SIZE = "1k";

    /** So many hits one after the other, of objects at random, say that all are there. */
    private static final int SAMPLE = 200;

    private static final long LIMIT = TimeUnit.MINUTES.toNanos(3);
    private static final String LOG = "logs/server.log";
    private static final Pattern READ =
            Pattern.compile("disk tier has \\d+ objects in \\d+ segments, read in (\\d+) ms");

    private final DiskBench.Setting setting;
    private final DiskOptions options;
    private final LineProcess load;
    private final Clock clock;
    private final RandomGenerator random;

    DiskStart(DiskBench.Setting setting, LineProcess load, Clock clock) {
        this.setting = setting;
        this.options = setting.options();
        this.load = load;
        this.clock = clock;
        this.random = Chance.seeded(options.seed()).random();
    }

    /**
     * Milliseconds after the start of the process.
     *
     * @param missed requests that were answered from the origin before all hit
     */
    private record Times(double answered, double hit, double all, long missed) {}

    void run() throws Exception {
        long room = Math.max(256 * MIB, options.objects() * 8192L);
        List<DiskServer> servers = setting.servers(
                new DiskServer.Room(64 * MIB, room, options.objects() + options.objects() / 4, false, true));
        setting.out().println("filling with " + options.objects() + " objects of 1 KiB");
        Filling filling = new Filling(setting.bed(), load, setting.out());
        for (DiskServer each : servers) {
            filling.fill(each, SIZE, options.objects());
            each.rest();
            each.stop();
        }
        List<List<Times>> found = new ArrayList<>();
        servers.forEach(_ -> found.add(new ArrayList<>()));
        List<Double> index = new ArrayList<>();
        long[] resident = new long[servers.size()];
        for (int round = 0; round < options.rounds(); round++) {
            StringBuilder line =
                    new StringBuilder("round " + (round + 1) + " of " + options.rounds() + ", first hit ms:");
            for (int i = 0; i < servers.size(); i++) {
                DiskServer server = servers.get(i);
                Times times = start(server);
                found.get(i).add(times);
                resident[i] = BenchProcesses.residentBytes(server.pid());
                WeirServer weir = server.weir();
                if (weir != null) {
                    index.add(index(Files.readAllLines(weir.data().resolve(LOG))));
                }
                server.rest();
                server.stop();
                line.append(String.format(Locale.ROOT, "  %s %.0f", server.name(), times.hit()));
            }
            setting.out().println(line);
        }
        print(servers, found, resident);
        setting.out()
                .println(String.format(
                        Locale.ROOT,
                        "of this Weir's index took %.0f ms (WEIR-101803; target: 1000 for a million objects)",
                        median(index)));
    }

    /** Asks for objects at random until so many hit one after the other, while the server starts. */
    private Times start(DiskServer server) throws Exception {
        long begin = clock.nanos();
        double beginMillis = clock.millis();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Callable<@Nullable Void> again = () -> {
                server.again();
                return null;
            };
            Future<@Nullable Void> started = other.submit(again);
            Times times = ask(server, begin, beginMillis);
            started.get();
            return times;
        }
    }

    private Times ask(DiskServer server, long begin, double beginMillis) throws IOException, BenchFailure {
        double answered = 0;
        double hit = 0;
        long missed = 0;
        int row = 0;
        ObjectConnection connection = null;
        try {
            while (row < SAMPLE) {
                if (clock.nanos() - begin > LIMIT) {
                    throw new BenchFailure(server.name() + " does not answer from its cache after its start");
                }
                try {
                    if (connection == null) {
                        connection = ObjectConnection.open(server.port());
                    }
                    ObjectConnection.Answer answer =
                            connection.get(ObjectMix.path(SIZE, random.nextInt(options.objects())));
                    double now = (clock.nanos() - begin) / 1e6;
                    answered = answered == 0 ? now : answered;
                    if (old(answer, beginMillis)) {
                        hit = hit == 0 ? now : hit;
                        row++;
                    } else {
                        missed++;
                        row = 0;
                    }
                } catch (IOException e) {
                    // it does not listen yet
                    connection = null;
                    row = 0;
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
        return new Times(answered, hit, (clock.nanos() - begin) / 1e6, missed);
    }

    /** Whether the origin gave this answer before the server was started. */
    private static boolean old(ObjectConnection.Answer answer, double beginMillis) throws BenchFailure {
        String when = answer.field("x-when");
        if (answer.status() != 200 || when == null) {
            throw new BenchFailure(
                    "not an answer of the origin: " + answer.head().strip());
        }
        return Double.parseDouble(when) * 1000 < beginMillis;
    }

    /** The time that Weir logged last. */
    static double index(List<String> log) throws BenchFailure {
        for (String line : log.reversed()) {
            Matcher m = READ.matcher(line);
            if (m.find()) {
                return Double.parseDouble(m.group(1));
            }
        }
        throw new BenchFailure("Weir did not log how long its start took: " + String.join("\n", log));
    }

    private void print(List<DiskServer> servers, List<List<Times>> found, long[] resident) {
        Table table = new Table(
                "server",
                "version",
                "first answer ms",
                "first hit ms",
                SAMPLE + " hits in a row ms",
                "fetched until then",
                "resident MiB");
        for (int i = 0; i < servers.size(); i++) {
            List<Times> times = found.get(i);
            String name = servers.get(i).name();
            table.row(
                    name,
                    setting.versions().getOrDefault(name, "-"),
                    text(median(times.stream().map(Times::answered).toList())),
                    text(median(times.stream().map(Times::hit).toList())),
                    text(median(times.stream().map(Times::all).toList())),
                    text(median(times.stream().map(t -> (double) t.missed()).toList())),
                    text(resident[i] / (double) MIB));
        }
        setting.out().println();
        setting.out().print(table.text());
        setting.out().println();
    }

    private static double median(List<Double> figures) {
        return PairedRatio.median(
                figures.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
