package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.StatSpec;
import io.weir.kernel.Kernel;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.WorkManager;
import io.weir.server.admin.Await;
import io.weir.server.admin.RawClient;
import io.weir.server.docs.Declarations;
import io.weir.server.monitor.StatsXmlTest;
import io.weir.server.users.AdminToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The views of a whole server: what they show is what was served. */
@Tag("slow")
class MonitoredServerTest {
    @TempDir
    Path dataDir;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void everyLinkOfTheIndexPageLeadsSomewhere() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            Matcher links =
                    Pattern.compile("href=\"([^\"]+)\"").matcher(weir.admin("/").body());
            int found = 0;
            while (links.find()) {
                assertThat(weir.admin(links.group(1)).status())
                        .as(links.group(1))
                        .isEqualTo(200);
                found++;
            }
            assertThat(found).isGreaterThan(8);
            assertThat(weir.text("/"))
                    .contains("\"/messaging\"", "\"/cluster\"", "\"/cluster/singletons\"", "\"/cluster/bindings\"")
                    .contains("\"/cluster/checkpoints\"", "\"/cluster/leases/current\"", "\"/tls\"", "\"/nsfc\"")
                    .doesNotContain("several processes");
        }
    }

    @Test
    void oneKnobIsShownByItsKey() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            assertThat(weir.text("/knobs/kernel.keep-alive.timeout"))
                    .startsWith("{\"key\":\"kernel.keep-alive.timeout\",\"value\":\"30s\"")
                    .contains("\"default\":\"30s\"", "\"source\":\"", "\"doc\":\"")
                    .endsWith("}\n");
            Map<String, String> wrong = Map.of(
                    "", "a key is missing behind /knobs/: GET /knobs lists all knobs",
                    "kernel.keep-alive", "is a section: GET /knobs?prefix=kernel.keep-alive. lists its knobs",
                    "nosuch", "there is no knob \\\"nosuch\\\". GET /knobs lists all knobs.",
                    "kernel.keep-alive.timeot", "did you mean \\\"kernel.keep-alive.timeout\\\"?");
            for (Map.Entry<String, String> e : wrong.entrySet()) {
                RawClient.Answer answer = weir.admin("/knobs/" + e.getKey());
                assertThat(answer.status()).isEqualTo(404);
                assertThat(answer.body()).contains(e.getValue());
            }
        }
    }

    @Test
    void indexPageOffersNothingThatTheServerDoesNotHave() throws Exception {
        try (RunningServer weir =
                new RunningServer(dataDir, printed, routeTo(1), List.of("admin.port=0", "listeners.http.port=0"))) {
            assertThat(weir.text("/")).contains("\"/origins\"").doesNotContain("/messaging");
            assertThat(weir.admin("/messaging").status()).isEqualTo(404);
        }
    }

    /** An alert on a counter that is absent until the first failure misses the first failure. */
    @Test
    void countersAreShownBeforeTheyCount() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            String metrics = weir.text("/metrics");
            assertThat(Declarations.statistics().stream()
                            .filter(s -> s.kind() == StatSpec.Kind.COUNTER
                                    && s.labels().isEmpty())
                            .map(StatSpec::exposedName))
                    .isNotEmpty()
                    .allMatch(name -> metrics.contains("\n" + name + " "));
            assertThat(metrics)
                    .contains(
                            "weir_lease_renewals_total{outcome=\"failed\"} 0.0\n",
                            "weir_singleton_activation_failures_total{reason=\"time-out\"} ",
                            "weir_jms_transactions_rolled_back_total{cause=\"client\"} 0.0\n",
                            "weir_jms_refused_total{reason=\"store\"} 0.0\n",
                            "weir_journal_refused_total{journal=\"messages\",reason=\"DISK_FULL\"} 0.0\n",
                            "weir_connection_errors_total{cause=\"protocol\"} 0.0\n",
                            "weir_deploy_total{what=\"failed\"} 0.0\n",
                            "weir_cluster_fence_refused_total{by=\"member\",what=\"append\"} 0.0\n",
                            "weir_admin_refused_total{reason=\"credentials\"} 0.0\n",
                            "weir_http2_connections_total{listener=\"http\"} 0.0\n",
                            "weir_admin_connections_given_up_total 0.0\n",
                            "weir_proxy_bucket_dispatch_time_seconds_total{bucket=\"default-bucket\","
                                    + "virtual_server=\"default\"} 0.0\n");
        }
    }

    @Test
    void requestsOfClientsAreSeenInEveryView() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            for (int i = 0; i < 3; i++) {
                assertThat(RawClient.get(weir.http(), "/").status()).isEqualTo(200);
            }
            Await.until(() -> weir.text("/.perf").contains("Total number of requests:                      3\n"));

            assertThat(weir.text("/.perf"))
                    .contains(
                            "ListenSocket http:\n",
                            "Default Virtual Server    default\n",
                            "File Cache Hit Ratio     2/3");
            Document stats = StatsXmlTest.valid(weir.text("/stats-xml"));
            Element requests =
                    (Element) stats.getElementsByTagName("request-bucket").item(0);
            assertThat(requests.getAttribute("countRequests")).isEqualTo("3");
            assertThat(requests.getAttribute("count200")).isEqualTo("3");
            assertThat(weir.text("/metrics")).contains("weir_http_requests_total{virtual_server=\"default\"} 3.0\n");
            assertThat(weir.admin("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void requestThatWaitsForItsOriginIsASession() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningServer weir = new RunningServer(dataDir, printed, routeTo(silent.getLocalPort()));
                RawClient client = new RawClient(weir.http())) {
            client.send("GET /hangs?a=<b> HTTP/1.1\r\nHost: www.example\r\n\r\n");
            try (Socket origin = silent.accept()) {
                Await.until(() -> weir.text("/.perf").contains("/hangs?a=<b>"));

                String row = weir.text("/.perf")
                        .lines()
                        .filter(l -> l.contains("/hangs"))
                        .findFirst()
                        .orElse("");
                assertThat(row)
                        .matches(
                                "\\d+ +(request|processing) +127\\.0\\.0\\.1 +\\d+ +default +GET +/hangs\\?a=<b> +\\S+");
                assertThat(weir.text("/.perf")).contains("Active Sessions           1\n");
                Document stats = StatsXmlTest.valid(weir.text("/stats-xml"));
                assertThat(stats.getElementsByTagName("thread").getLength()).isOne();
                assertThat(weir.text("/stats-xml?thread=0")).doesNotContain("<thread ");
                origin.setSoLinger(true, 0);
            }
            assertThat(client.read(false).status()).isEqualTo(502);
            Await.until(() -> weir.text("/.perf").contains("Active Sessions           0\n"));
            assertThat(weir.text("/.perf")).doesNotContain("/hangs");
        }
    }

    @Test
    void answerThatStreamsIsASessionThatIsNeitherActiveNorKeptAlive() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningServer weir = new RunningServer(dataDir, printed, routeTo(slow.getLocalPort()));
                RawClient client = new RawClient(weir.http())) {
            client.send("GET /streams HTTP/1.1\r\nHost: www.example\r\n\r\n");
            try (Socket origin = slow.accept()) {
                origin.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst"
                                .getBytes(StandardCharsets.ISO_8859_1));
                Await.until(() -> weir.text("/.perf").contains("Active Sessions           0\n"));
                Await.until(() -> weir.text("/.perf").contains("KeepAliveCount        1/"));
                assertThat(weir.text("/.perf"))
                        .contains("/streams")
                        .contains("Active Sessions           0\nKeep-Alive Sessions       0\n");
                origin.getOutputStream().write(" last".getBytes(StandardCharsets.ISO_8859_1));
                assertThat(client.read(false).status()).isEqualTo(200);
                Await.until(() -> weir.text("/.perf").contains("Keep-Alive Sessions       1\n"));
                assertThat(weir.text("/.perf")).doesNotContain("/streams");
            }
        }
    }

    @Test
    void timeOfARequestIsPreparationAndFunctionsTogether() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed);
                RawClient client = new RawClient(weir.http())) {
            ConnectionQueue queue = weir.server.kernel().connectionQueue();
            int taken = queue.throttle();
            for (int i = 0; i < taken; i++) {
                queue.resumed();
            }
            client.send("GET / HTTP/1.1\r\nHost: www.example\r\n\r\n");
            Await.until(() -> weir.text("/.perf").contains(" queued "));
            for (int i = 0; i < taken; i++) {
                queue.lent();
            }
            assertThat(client.read(false).status()).isEqualTo(200);
            Await.until(() -> weir.text("/.perf").contains("Total number of requests:                      1\n"));
            Document stats = StatsXmlTest.valid(weir.text("/stats-xml"));
            long dispatch = ticks(stats, "profile-bucket", 1, "ticksDispatch");
            long function = ticks(stats, "profile-bucket", 1, "ticksFunction");
            assertThat(dispatch).isPositive().isEqualTo(ticks(stats, "connection-queue-bucket", 0, "ticksTotalQueued"));
            assertThat(function).isPositive();
            Matcher all = Pattern.compile("weir_http_request_duration_seconds_sum\\{[^}]*} (\\S+)")
                    .matcher(weir.text("/metrics"));
            assertThat(all.find()).isTrue();
            assertThat((double) dispatch + function).isCloseTo(Double.parseDouble(all.group(1)) * 1e6, within(5.0));
        }
    }

    @Test
    void addressReadsAsItWasConfigured() throws Exception {
        Path file = Files.writeString(dataDir.resolve("weir.yaml"), """
                listeners: {http: {address: 0.0.0.0}, named: {address: localhost, port: 0}, six: {address: "::", port: 0}}
                """);
        try (RunningServer weir = new RunningServer(dataDir, printed, file)) {
            List<String> places = List.of("http://0.0.0.0:", "http://localhost:", "http://[::]:");
            for (String place : places) {
                assertThat(weir.text("/.perf")).containsPattern("Address +" + Pattern.quote(place) + "[0-9]+\n");
                assertThat(weir.text("/health")).contains("\"address\":\"" + place.substring(7));
            }
            assertThat(weir.server.about().get("listener.http")).startsWith("0.0.0.0:");
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("\"http\" is now listening on 0.0.0.0:", "\"six\" is now listening on :::");
        }
    }

    @Test
    void autoShowsWhatIsInForce() throws Exception {
        Path file = Files.writeString(dataDir.resolve("weir.yaml"), """
                listeners: {http: {port: 0}, messaging: {port: 0, protocol: weir}}
                messaging: {queues: {demo: {}}}
                work-managers: {default: {}, reports: {max-threads: 3}}
                proxy: {origins: {pool: {servers: [{url: "http://127.0.0.1:1"}]}}, routes: [{pool: pool}]}
                """);
        try (RunningServer weir = new RunningServer(dataDir, printed, file)) {
            List<String> silent = new ArrayList<>();
            for (String knob : weir.text("/knobs").split(",\n", -1)) {
                String key = knob.replaceFirst("(?s).*?\"key\":\"([^\"]*)\".*", "$1");
                if (knob.contains("\"value\":\"auto\"") && !knob.contains("\"inForce\":\"")) {
                    silent.add(key);
                }
            }
            assertThat(silent)
                    .as("without TLS nobody encrypts; who may be a guest depends on who asks")
                    .containsExactlyInAnyOrder(
                            "listeners.http.tls.provider",
                            "listeners.messaging.tls.provider",
                            "messaging.wire.logins.guests");
            Kernel kernel = weir.server.kernel();
            assertThat(weir.text("/knobs?prefix=kernel.max-connections"))
                    .contains("\"value\":\"auto\",\"inForce\":\"" + kernel.maxConnections() + "\"");
            Map<String, Integer> counts = Map.of(
                    "kernel.max-connections-per-address", kernel.maxConnectionsPerAddress(),
                    "kernel.socket-readers", kernel.muxers().all().size(),
                    "kernel.request-throttle", kernel.connectionQueue().throttle(),
                    "kernel.connection-queue.capacity", kernel.queueCapacity(),
                    "kernel.keep-alive.max-connections", kernel.keepAlive().limit());
            counts.forEach((key, count) -> assertThat(weir.text("/knobs?prefix=" + key))
                    .as(key)
                    .contains("\"value\":\"auto\",\"inForce\":\"" + count + "\""));
            assertThat(weir.text("/knobs?prefix=kernel.muxer"))
                    .contains("\"inForce\":\"" + kernel.choice().kind().spelling() + "\"");
            assertThat(weir.text("/knobs?prefix=work-managers.reports.min"))
                    .contains("\"inForce\":\"" + kernel.workManager("reports").minThreads() + "\"");
        }
    }

    private static long ticks(Document stats, String element, int number, String name) {
        Element found = (Element) stats.getElementsByTagName(element).item(number);
        return Long.parseLong(found.getAttribute(name));
    }

    private Path routeTo(int port) throws IOException {
        return Files.writeString(
                dataDir.resolve("weir.yaml"),
                "proxy:\n  routes:\n    - origins: [\"http://127.0.0.1:" + port + "\"]\n");
    }

    @Test
    void changesNeedTheTokenOfTheDataDirectory() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            String change = "{\"server.statistics\":\"off\"}";
            assertThat(weir.ask("PATCH", "/knobs", change).status()).isEqualTo(401);
            assertThat(weir.text("/.perf")).startsWith("proxyd pid: ");

            String token = "Authorization: Bearer " + AdminToken.read(dataDir).text();
            assertThat(weir.ask("PATCH", "/knobs", change, token, "Content-Type: application/json")
                            .status())
                    .isEqualTo(200);
            assertThat(weir.text("/.perf")).isEqualTo("Statistics disabled\n");
        }
    }

    @Test
    void beansAreThereWhileTheServerIs() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName pool = new ObjectName("io.weir:type=ThreadPoolRuntime,name=default");
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            Await.until(() -> beans.isRegistered(pool));
            assertThat((int) beans.getAttribute(pool, "ExecuteThreadTotalCount"))
                    .isPositive();
            assertThat(weir.admin("/health/live").status()).isEqualTo(200);
        }
        assertThat(beans.isRegistered(pool)).isFalse();
    }

    @Test
    void everyViewAnswersWhileEveryExecuteThreadHangs() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName pool = new ObjectName("io.weir:type=ThreadPoolRuntime,name=default");
        Path file = Files.writeString(dataDir.resolve("weir.yaml"), """
                listeners: {http: {port: 0}}
                work-managers: {default: {min-threads: 1, max-threads: 2, queue-capacity: 3}}
                """);
        CountDownLatch end = new CountDownLatch(1);
        try (RunningServer weir = new RunningServer(dataDir, printed, file)) {
            WorkManager threads = weir.server.kernel().workManager("default");
            while (threads.execute(() -> hang(end))) {
                // until the queue is full too
            }
            Await.until(() -> weir.text("/.perf").contains("0/2/2"));
            assertThat(weir.text("/.perf")).containsPattern("Work Queue Length/Peak/Limit +3/\\d+/3");
            StatsXmlTest.valid(weir.text("/stats-xml"));
            for (String view : List.of("/metrics", "/health/live", "/nsc", "/knobs", "/")) {
                assertThat(weir.admin(view).status()).as(view).isEqualTo(200);
            }
            assertThat(weir.text("/health")).contains("work-manager default");
            Await.until(() -> beans.isRegistered(pool));
            assertThat((int) beans.getAttribute(pool, "ExecuteThreadIdleCount")).isZero();
            end.countDown();
        } finally {
            end.countDown();
        }
    }

    @Test
    void healthIsDownWhileAMuxerHangs() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            assertThat(weir.admin("/health").status()).isEqualTo(200);
            weir.server.kernel().muxers().all().getFirst().eventLoop().execute(() -> hang(end));
            Await.until(() -> weir.text("/health").contains("muxer 0 of "));
            RawClient.Answer health = weir.admin("/health");
            assertThat(health.status()).isEqualTo(503);
            assertThat(health.body()).contains("\"muxers\"", "\"down\"");
            assertThat(weir.admin("/health/ready").status()).isEqualTo(503);
            assertThat(weir.text("/metrics")).contains("weir_muxers_hanging 1.0\n");
            end.countDown();
            Await.until(() -> !weir.text("/health").contains("muxer 0 of "));
            assertThat(weir.admin("/health").status()).isEqualTo(200);
        } finally {
            end.countDown();
        }
    }

    private static void hang(CountDownLatch end) {
        try {
            assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
