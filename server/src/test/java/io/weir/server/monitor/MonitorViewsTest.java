package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ByteSize;
import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.work.WorkManagerConfig;
import io.weir.server.admin.AdminConfig;
import io.weir.server.admin.AdminListener;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminUsers;
import io.weir.server.admin.RawClient;
import io.weir.server.monitor.source.Facts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The views as they are served. */
class MonitorViewsTest {
    private static final List<String> VIEWS = List.of(
            "/",
            "/.perf",
            "/stats-xml",
            "/stats-xml/proxystats.xml",
            "/stats-xml/proxystats.dtd",
            "/proxystats.dtd",
            "/nsc",
            "/nsfc",
            "/metrics",
            "/health",
            "/health/ready",
            "/health/live",
            "/threads");

    private final FakeSource source = new FakeSource();
    private final Stats stats = new Stats();
    private final MonitorViews views = new MonitorViews(source, stats, SystemClock.INSTANCE);
    private AdminListener listener = listener();

    @BeforeEach
    void sampled() {
        views.sample();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @Test
    void everyViewAnswersWithItsType() throws Exception {
        Map<String, String> types = Map.of(
                "/", "text/html",
                "/.perf", "text/plain",
                "/stats-xml", "application/xml",
                "/stats-xml/proxystats.dtd", "application/xml-dtd",
                "/nsc", "text/html",
                "/metrics", "text/plain",
                "/health", "application/json",
                "/threads", "text/plain");
        for (String view : VIEWS) {
            RawClient.Answer answer = get(view);

            assertThat(answer.status()).as(view).isEqualTo(200);
            assertThat(answer.body()).as(view).isNotEmpty();
            assertThat(answer.field("content-type")).as(view).startsWith(types.getOrDefault(view, ""));
        }
    }

    @Test
    void everyViewAnswersWhileAllExecuteThreadsAndAllMuxersHang() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Kernel data = dataKernel(2)) {
            int muxers = data.muxers().all().size();
            CountDownLatch hanging = new CountDownLatch(2 + muxers);
            Runnable hang = () -> {
                hanging.countDown();
                awaitQuietly(release);
            };
            assertThat(data.workManager(Kernel.DEFAULT).execute(hang)).isTrue();
            assertThat(data.workManager(Kernel.DEFAULT).execute(hang)).isTrue();
            for (Muxer muxer : data.muxers().all()) {
                muxer.eventLoop().execute(hang);
            }
            assertThat(hanging.await(3, TimeUnit.MINUTES)).isTrue();

            for (String view : VIEWS) {
                assertThat(get(view).status()).as(view).isEqualTo(200);
            }
            assertThat(get("/threads").body())
                    .contains("\"ExecuteThread: '0' for queue: 'weir.work.default'\"", "weir.admin.socket.Muxer");
            release.countDown();
        } finally {
            release.countDown();
        }
    }

    @Test
    void refreshAddsTheFieldAndNothingElse() throws Exception {
        assertThat(get("/.perf?refresh=5").field("refresh")).isEqualTo("5");
        assertThat(get("/.perf").fields()).doesNotContainKey("refresh");
        assertThat(get("/stats-xml?refresh=7").field("refresh")).isEqualTo("7");
        assertThat(get("/nsc?refresh=3&list").field("refresh")).isEqualTo("3");
    }

    @Test
    void refreshThatIsNoSensibleNumberIsRefused() throws Exception {
        for (String bad : List.of("0", "-1", "x", "", "86401", "5;url=http://evil.example", "5%0d%0aSet-Cookie:a")) {
            assertThat(get("/.perf?refresh=" + bad).status()).as(bad).isEqualTo(400);
        }
    }

    @Test
    void switchedOffElementsAreGoneOverTheWire() throws Exception {
        String all = get("/stats-xml").body();
        String some = get("/stats-xml?thread-pool=0&process=0").body();

        assertThat(all).contains("<thread-pool ", "<process ");
        assertThat(some).doesNotContain("<thread-pool ", "<process ").contains("<virtual-server ");
        StatsXmlTest.valid(all);
        StatsXmlTest.valid(some);
    }

    @Test
    void statisticsOffShowsInPerfdumpAndStatsXml() throws Exception {
        stats.collect(false);

        assertThat(get("/.perf").body()).isEqualTo("Statistics disabled\n");
        assertThat(get("/stats-xml").body()).contains("enabled=\"0\"").doesNotContain("<server");
    }

    @Test
    void cachePageHasTheSeedsLines() throws Exception {
        source.entries = List.of(new Facts.CacheEntry("/<script>", 12, "IC", 1, 60, 0, 4096, 4711));
        String page = get("/nsc?list").body();

        assertThat(page)
                .contains(
                        "<title>Weir File Cache Status (pid 4711)</title>",
                        "The file cache is enabled.\nCache resource utilization\n",
                        "Number of cached file entries = 141 (152 bytes each, 21432 total bytes)\n",
                        "Number of cached open file descriptors = 7/160\n",
                        "Heap space used for cache = 36064/10735636 bytes\n",
                        "Mapped memory used for medium file contents = 0/0 bytes\n",
                        "Number of cache lookup hits = 652/664 ( 98.19 %)\n",
                        "Number of hits/misses on cached file info = 37/50\n",
                        "Number of hits/misses on cached file content = 300/9\n",
                        "Number of outdated cache entries deleted = 3\n",
                        "Number of cache entry replacements = 4\n",
                        "Total number of cache entries deleted = 12\n",
                        "Number of busy cache entries deleted = 2\n",
                        "TransmitFile: true\n",
                        "MaxAge: 30 seconds\n",
                        "MaxFiles: 1024 files\n",
                        "MaxOpenFiles: 160 files\n",
                        "Hash table size: 2053 buckets\n",
                        "[4711, 1]",
                        "/&lt;script&gt;")
                .doesNotContain("<script>");
        assertThat(get("/nsc").body()).doesNotContain("File list");
        source.entries = List.of();
        assertThat(get("/nsc?list").body()).contains("The store lists no entries.");
    }

    @Test
    void cachePageChangesNothing() throws Exception {
        assertThat(get("/nsc?stop").status()).isEqualTo(405);
        RawClient.Answer told = get("/nsfc?restart");
        assertThat(told.status()).isEqualTo(405);
        assertThat(told.field("allow")).isEqualTo("POST");
        assertThat(told.body()).contains("A GET changes nothing", "curl -X POST -u USER 'http://ADMIN/nsfc?restart'");
        assertThat(get("/nsc?list=0").status()).isEqualTo(400);
    }

    @Test
    void disabledCacheIsSaidToBe() throws Exception {
        source.cache = Facts.Cache.OFF;

        assertThat(get("/nsc").body()).contains("The file cache is disabled.").doesNotContain("Parameter settings");
    }

    @Test
    void healthFollowsPhaseListenersAndChecks() throws Exception {
        source.pools = source.pools.subList(0, 1);
        assertThat(get("/health").body())
                .contains(
                        "\"status\":\"up\"",
                        "{\"name\":\"ls1\",\"protocol\":\"https\",\"address\":\"0.0.0.0:2014\",\"status\":\"up\"}");

        source.phase = Facts.Phase.DRAINING;
        assertThat(get("/health").status()).isEqualTo(503);
        assertThat(get("/health").body()).contains("\"status\":\"draining\"");
        assertThat(get("/health/ready").status()).isEqualTo(503);
        assertThat(get("/health/live").status()).isEqualTo(200);

        source.phase = Facts.Phase.RUNNING;
        source.checks = List.of(new Facts.Check("cluster", Facts.Health.WARNING, "no majority"));
        assertThat(get("/health/ready").status()).isEqualTo(200);
        assertThat(get("/health").status()).isEqualTo(200);
        assertThat(get("/health").body()).contains("\"status\":\"warning\",\"detail\":\"no majority\"");
        source.checks = List.of(new Facts.Check("disk", false, "full"));
        assertThat(get("/health/ready").status()).isEqualTo(503);
        assertThat(get("/health").body()).contains("\"status\":\"degraded\"", "\"detail\":\"full\"");

        source.checks = List.of(new Facts.Check("damage", Facts.Health.WARNING, "seen by nobody"));
        assertThat(get("/health/ready").status()).isEqualTo(200);
        assertThat(get("/health").status()).isEqualTo(200);
        assertThat(get("/health").body())
                .contains("\"status\":\"warning\"", "{\"name\":\"damage\",\"status\":\"warning\",");

        source.phase = Facts.Phase.STOPPED;
        assertThat(get("/health/live").status()).isEqualTo(503);
    }

    @Test
    void closedListenerMakesTheServerUnready() throws Exception {
        source.listeners = List.of(new Facts.Listener("ls1", "127.0.0.1:1", "http", 1, "default", false));

        assertThat(get("/health/ready").status()).isEqualTo(503);
        assertThat(get("/health").body()).contains("\"status\":\"closed\"");
    }

    @Test
    void beansAppearWithTheNextSampleAndGoWithTheViews() throws Exception {
        ObjectName pool = new ObjectName("io.weir:type=ThreadPoolRuntime,name=views-test");
        source.pools = List.of(new Facts.Pool("views-test", 3, 4, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0));
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        AtomicReference<MBeanServer> made = new AtomicReference<>();
        views.registerBeans(made::get, Log.NONE);
        views.sample();
        assertThat(server.isRegistered(pool)).as("nobody uses JMX").isFalse();
        made.set(server);
        views.sample();
        assertThat(server.getAttribute(pool, "ExecuteThreadIdleCount")).isEqualTo(3);

        views.close();
        assertThat(server.isRegistered(pool)).isFalse();
    }

    @Test
    void indexPageNeedsNothingFromOutside() throws Exception {
        String page = get("/").body();

        assertThat(page).contains("href=\"/.perf\"", "href=\"/metrics\"", "color-scheme:light dark");
        assertThat(page).doesNotContain("http://", "https://", "<script", "src=");
    }

    private RawClient.Answer get(String target) throws Exception {
        return RawClient.get(listener.address(), target);
    }

    private AdminListener listener() {
        AdminConfig d = ConfigBinder.defaults(AdminConfig.class);
        AdminConfig config = new AdminConfig(
                true,
                "127.0.0.1",
                0,
                List.of(),
                d.maxConnections(),
                d.maxBody(),
                d.requestTimeOut(),
                d.keepAliveTimeOut(),
                d.threads(),
                d.queueCapacity(),
                false);
        AdminRouter router = new AdminRouter();
        source.pools = List.of(source.pools.getFirst());
        views.register(router);
        try {
            return AdminListener.open(
                    config,
                    router,
                    new AdminListener.Credentials("secret"::equals, AdminUsers.NONE),
                    SystemClock.INSTANCE,
                    stats,
                    Log.NONE);
        } catch (io.weir.kernel.listen.BindFailure e) {
            throw new IllegalStateException(e);
        }
    }

    private static Kernel dataKernel(int threads) {
        WorkManagerConfig work = new WorkManagerConfig(1, threads, 4, new ByteSize(0), Duration.ofSeconds(10));
        return new Kernel(new KernelParts(
                new Live<>(ConfigBinder.defaults(KernelConfig.class)),
                Map.of(Kernel.DEFAULT, work),
                SystemClock.INSTANCE,
                new Stats(),
                Log.NONE));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
