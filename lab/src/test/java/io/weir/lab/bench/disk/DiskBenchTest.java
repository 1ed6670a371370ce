package io.weir.lab.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.weir.base.SystemClock;
import io.weir.lab.bench.BenchLine;
import io.weir.lab.bench.peer.DiskConfigs;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark of caches on a disk, but for its measurements. */
final class DiskBenchTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void optionsAreRead() {
        DiskOptions plain = BenchLine.disk("");
        assertThat(plain)
                .isEqualTo(new DiskOptions(
                        DiskScenario.HITS,
                        Size.THIRTEEN,
                        List.of(Peer.NGINX, Peer.SQUID, Peer.TRAFFICSERVER),
                        6,
                        3,
                        100_000,
                        false,
                        1));
        assertThat(BenchLine.disk(" --scenario hits --size 1m --seconds 2 --peers none")
                        .peers())
                .isEmpty();
        assertThat(EnumSet.copyOf(BenchLine.disk(" --scenario zipf").peers())).isEqualTo(EnumSet.allOf(Peer.class));
        assertThat(BenchLine.disk(" --scenario start --objects 1000000").objects())
                .isEqualTo(1_000_000);
        assertThat(BenchLine.disk(" --scenario reclaim").seconds()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0 | --rounds takes 1 to 1000, not 0",
                "--scenario start --objects 10 | --objects takes 1000 to 10000000, not 10",
                "--scenario zipf --seconds 3 | --seconds is for the scenarios hits and reclaim",
                "--scenario zipf --size 1m | --size is for the scenario hits",
                "--objects 100000 | --objects is for the scenario start",
                "--scenario start --peers squid | scenario start takes of the peers nginx, trafficserver"
            })
    void wrongOptionsAreRefused(String words, String message) {
        BenchLine line = BenchLine.of("disk " + words);
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).contains(message);
    }

    @Test
    void weirsConfigurationIsCorrect() throws IOException {
        DiskConfigs.Plan plan = new DiskConfigs.Plan(folder, 1001, 1002, 16 << 20, 1 << 30, 20_000, false, false);
        Path file = Files.writeString(folder.resolve("weir.yaml"), DiskConfigs.weir(plan));
        LoadedConfig loaded = new ConfigLoader(file, List.of(), folder).load();
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().cache().disk().size().bytes()).isEqualTo(1 << 30);
        assertThat(loaded.value().cache().disk().path()).isEqualTo("cache");
        assertThat(loaded.value().cache().memoryBudget().bytes()).isEqualTo(16 << 20);
    }

    @Test
    void theMixIsTheSameForAllServersAndTakesTenTimesTheMemory() {
        assertThat(ObjectMix.path("13k", 7)).isEqualTo("/13k/00000007");
        assertThat(ObjectMix.path("mix", 7)).isEqualTo("/" + ObjectMix.sizeOf(7) + "/00000007");
        Set<String> sizes = new HashSet<>();
        for (int id = 0; id < 1000; id++) {
            sizes.add(ObjectMix.sizeOf(id));
        }
        assertThat(sizes).containsExactlyInAnyOrder("4k", "13k", "64k", "256k", "1m");
        long bytes = ObjectMix.bytes(DiskZipf.objects());
        assertThat(bytes).isBetween(640L << 20, 700L << 20);
        ObjectMix.Draw one = new ObjectMix.Draw(1000, 0.9, 5);
        ObjectMix.Draw same = new ObjectMix.Draw(1000, 0.9, 5);
        int first = 0;
        for (int i = 0; i < 10_000; i++) {
            int id = one.next();
            assertThat(id).isEqualTo(same.next()).isBetween(0, 999);
            first += id == 0 ? 1 : 0;
        }
        assertThat(first).as("the most popular of a thousand").isBetween(700, 1300);
    }

    @Test
    void whatTheSystemAndTheLogSayIsRead() throws BenchFailure {
        assertThat(WrittenBytes.value(
                        "rchar: 1\nwchar: 22\nwrite_bytes: 4096\ncancelled_write_bytes: 3\n", "write_bytes"))
                .isEqualTo(4096);
        assertThatThrownBy(() -> WrittenBytes.value("rchar: 1\n", "wchar"))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("no wchar");
        assertThat(
                        DiskStart.index(
                                List.of(
                                        "<WEIR-101803> <Partition part1 of the disk tier has 0 objects in 0 segments, read in 1 ms.>",
                                        "<WEIR-101803> <Partition part1 of the disk tier has 1000000 objects in 12 segments, read in 234 ms.>")))
                .isEqualTo(234);
        assertThatThrownBy(() -> DiskStart.index(List.of("nothing")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("did not log");
    }

    @Test
    void whatTheLoadFoundIsRead() throws BenchFailure {
        Found found = new Found(10, 1.5, 0, 0, 4096, 100, 200, 300, 400);
        assertThat(Found.parse(found.line())).isEqualTo(found);
        assertThat(found.whole("nginx")).isEqualTo(found);
        assertThatThrownBy(() -> Found.parse("failed java.io.IOException: no"))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("failed");
        assertThatThrownBy(() -> new Found(10, 1.5, 2, 1, 0, 1, 1, 1, 1).whole("squid"))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("squid answered 1 requests with an error and 2 not at all");
    }

    /** Each order makes its requests, in their number, and counts what is wrong. */
    @Test
    void theLoadRequestsWhatItIsOrdered() throws IOException, BenchFailure {
        ConcurrentLinkedQueue<String> paths = new ConcurrentLinkedQueue<>();
        HttpServer origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            origin.setExecutor(threads);
            origin.createContext("/", exchange -> {
                paths.add(exchange.getRequestURI().getPath());
                byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(paths.size() == 3 ? 500 : 200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            origin.start();
            int port = origin.getAddress().getPort();
            List<String> answers = orders("each " + port + " 2 13k 5 4\nzipf " + port + " 3 1000 1 20\nrate " + port
                    + " 2 64k 0 5 10 1000\nhats\n");
            assertThat(answers.getFirst()).isEqualTo("ready");
            Found each = Found.parse(answers.get(1));
            assertThat(each.requests()).isEqualTo(4);
            assertThat(each.bytes()).isEqualTo(20);
            assertThat(each.refused()).as("the third was answered with 500").isEqualTo(1);
            assertThat(Found.parse(answers.get(2)).whole("the origin").requests())
                    .isEqualTo(20);
            assertThat(Found.parse(answers.get(3)).whole("the origin").requests())
                    .isEqualTo(10);
            assertThat(answers.get(4)).startsWith("failed");
            assertThat(paths)
                    .contains("/13k/00000005", "/13k/00000008", "/64k/00000000", "/64k/00000004")
                    .hasSize(34);
        } finally {
            origin.stop(0);
        }
    }

    private static List<String> orders(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ObjectsCommand.serve(
                new BufferedReader(new StringReader(text)), new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aServerThatDoesNotAnswerIsCounted() throws IOException, InterruptedException {
        int closed = Child.freePort();
        Found found = new ObjectsLoad(
                        new ObjectsLoad.Plan(closed, 1, 3, 0, i -> ObjectMix.path("1k", i)), SystemClock.INSTANCE)
                .run();
        assertThat(found.requests()).isZero();
        assertThat(found.disturbed()).isEqualTo(3);
    }
}
