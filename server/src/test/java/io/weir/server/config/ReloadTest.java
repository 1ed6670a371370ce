package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.kernel.settings.ModeChoice;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading the file again, and named entries that come and go. */
final class ReloadTest {
    private static final String FILE = """
            listeners:
              http: {port: 0}
            virtual-servers:
              shop: {hosts: [shop.test], limits: {connections: 7}}
            kernel:
              mode: low-latency
            server:
              history-limit: 9
            """;

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();

    @TempDir
    private Path home = Path.of("");

    private KnobService service;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(home.resolve("data"));
        write(FILE);
        service = service("kernel.drain-time-out=3s");
    }

    private void write(String text) throws IOException {
        Files.writeString(home.resolve("weir.yaml"), text);
    }

    private LoadedConfig load(String... sets) {
        return new ConfigLoader(home.resolve("weir.yaml"), List.of(sets), home).load();
    }

    private KnobService service(String... sets) {
        LoadedConfig loaded = load(sets);
        assertThat(loaded.problems()).isEmpty();
        KnobService s = new KnobService(
                loaded, new Live<>(loaded.value()), home.resolve("data"), true, new SteppedClock(1_000L), stats, log);
        s.started("weir.yaml");
        return s;
    }

    private WeirConfig now() {
        return service.live().get();
    }

    private VirtualServerConfig virtualServer(String name) {
        return Objects.requireNonNull(now().virtualServers().get(name), name);
    }

    private KnobService.Outcome patch(String key, String value, boolean persist) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode node = Yaml.value("PATCH", value, problems);
        assertThat(problems).isEmpty();
        return service.patch(Map.of(key, node), "t", persist);
    }

    private String refusal(String key, String value) throws IOException {
        KnobService.Outcome outcome = patch(key, value, false);
        assertThat(outcome.problems()).isNotEmpty();
        return outcome.problems().getFirst().what();
    }

    @Test
    void whatIsDynamicIsTakenAndTheRestIsNamed() throws IOException {
        write(FILE.replace("limit: 9", "limit: 11\n  name: other")
                .replace("  mode: low-latency", "  request-throttle: 50\n  drain-time-out: 9s")
                .replace("server:", "cache: {disk: {partitions: {more: {path: more}}}}\nserver:")
                .replace("shop:", "news: {hosts: [news.test]}\n  store:")
                .replace("http: {port: 0}", "http: {port: 0}\n  more: {port: 0, limits: {connections: 5}}"));
        KnobService.Reload reload = service.reload("anna");
        assertThat(reload.outcome().problems()).isEmpty();
        assertThat(now().server().historyLimit()).isEqualTo(11);
        assertThat(now().kernel().mode())
                .isEqualTo(new ConfigLoader(null, List.of(), null)
                        .load()
                        .value()
                        .kernel()
                        .mode());
        assertThat(now().kernel().requestThrottle()).isEqualTo(50);
        assertThat(now().kernel().drainTimeOut()).as("--set wins").hasSeconds(3);
        assertThat(now().virtualServers()).containsOnlyKeys("news", "store");
        assertThat(now().listeners()).containsOnlyKeys("http", "more");
        assertThat(reload.atRestart()).containsExactlyInAnyOrder("server.name", "cache.disk.partitions.more.path");
        assertThat(log.count(ServerMessages.RELOAD_WAITS)).isOne();
        assertThat(new History(home.resolve("data")).entries().getLast().author())
                .isEqualTo("anna");
    }

    /** An entry without a key is in the file as any other is: it stays when a change of one of its keys goes away. */
    @ParameterizedTest
    @CsvSource({
        "messaging.queues.demo, messaging.queues.demo.paused.production, 'on'",
        "messaging.topics.news, messaging.topics.news.paused.production, 'on'",
        "messaging.quotas.big, messaging.quotas.big.messages-maximum, 5",
        "work-managers.reports, work-managers.reports.max-threads, 5",
        "request-classes.gold, request-classes.gold.fair-share, 90"
    })
    void anEntryWithoutAKeyStaysWhenAChangeOfItGoes(String entry, String key, String value) throws IOException {
        String section = entry.substring(0, entry.lastIndexOf('.'));
        String name = entry.substring(section.length() + 1);
        String[] path = section.split("\\.", -1);
        String more = "{" + name + ": {}}";
        for (int i = path.length - 1; i > 0; i--) {
            more = "{" + path[i] + ": " + more + "}";
        }
        write(FILE.replace("limit: 9", "limit: 99") + path[0] + ": " + more + "\n");
        service = service();
        String before = service.text();
        int first = service.current();

        assertThat(patch(key, value, false).problems()).isEmpty();
        KnobService.Reload reload = service.reload("t");
        assertThat(reload.outcome().changed()).as("reload").containsExactly(key);
        assertThat(reload.atRestart()).isEmpty();
        assertThat(service.text()).isEqualTo(before);

        assertThat(patch(key, value, false).problems()).as("it is there").isEmpty();
        Path changed = Files.writeString(home.resolve("changed"), service.text());
        assertThat(service.patch(Map.of(key, Changes.REMOVED), "t", false).problems())
                .isEmpty();
        assertThat(service.text()).as("null").isEqualTo(before);
        Path same = Files.writeString(home.resolve("same"), service.text());
        assertThat(service.follow(changed).changed()).as("another process").containsExactly(key);
        assertThat(service.follow(same).changed()).containsExactly(key);
        assertThat(service.text()).isEqualTo(before);

        assertThat(patch(key, value, true).problems()).isEmpty();
        assertThat(service.drop(key, "t").changed()).as("drop").containsExactly(key);
        assertThat(service.text()).isEqualTo(before);

        assertThat(patch(key, value, true).problems()).isEmpty();
        assertThat(service.rollback(first, "t").problems()).as("roll-back").isEmpty();
        assertThat(service.text()).isEqualTo(before);
        assertThat(load().problems()).isEmpty();
        assertThat(InForceText.of(load().tree())).as("and after a start").isEqualTo(before);
    }

    @Test
    void wrongFileChangesNothingAndSaysWhere() throws IOException {
        write(FILE.replace("limit: 9", "limit: 1").replace("mode: low-latency", "mode: fast"));
        KnobService.Reload reload = service.reload("t");
        assertThat(reload.outcome().problems())
                .extracting(p -> p.at().line() + " " + p.key())
                .containsExactly("6 kernel.mode", "8 server.history-limit");
        write(
                "virtual-servers: {shop: {listeners: [nowhere]}}\nlisteners: {http: {port: 0}}\nserver: {history-limit: 99}");
        assertThat(service.reload("t").outcome().problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what()).contains("there is no listener"));
        write("- not: sections");
        assertThat(service.reload("t").outcome().applied()).isFalse();
        Files.delete(home.resolve("weir.yaml"));
        assertThat(service.reload("t").outcome().problems().getFirst().what()).contains("no such file");
        assertThat(now().server().historyLimit()).isEqualTo(9);
        assertThat(virtualServer("shop").hosts()).containsExactly("shop.test");
        assertThat(stats.value(ServerStats.CONFIG_REFUSED)).isEqualTo(4);
        assertThat(log.count(ServerMessages.RELOAD_REFUSED)).isEqualTo(4);
    }

    @Test
    void persistedChangesStayAndOthersEnd() throws IOException {
        patch("server.history-limit", "20", true);
        patch("kernel.mode", "high-concurrency", false);
        KnobService.Reload reload = service.reload("t");
        assertThat(reload.outcome().changed()).containsExactly("kernel.mode");
        assertThat(now().server().historyLimit()).isEqualTo(20);
        assertThat(now().kernel().mode()).isEqualTo(ModeChoice.LOW_LATENCY);
        KnobService.Outcome again = service.reload("t").outcome();
        assertThat(again.changed()).isEmpty();
        assertThat(again.number())
                .isEqualTo(new History(home.resolve("data")).entries().getLast().number());
    }

    @Test
    void whoIsAskedBeforeMayRefuseAndThenNothingIsChanged() throws IOException {
        List<String> asked = new ArrayList<>();
        service.preparation((now, next, refusal) -> {
            asked.add(now.listeners().keySet() + " to " + next.listeners().keySet());
            if (next.listeners().containsKey("more")) {
                refusal.accept("listeners.more.port", "taken");
            }
            return new Preparation.Ready() {
                @Override
                public void begin() {
                    asked.add("begun with " + service.live().get().server().historyLimit());
                }

                @Override
                public void cancel() {
                    asked.add("cancelled");
                }
            };
        });
        write(FILE.replace("http: {port: 0}", "http: {port: 0}\n  more: {port: 1}")
                .replace("limit: 9", "limit: 11"));
        ConfigProblem problem = service.reload("t").outcome().problems().getFirst();
        assertThat(problem.key() + ": " + problem.what()).isEqualTo("listeners.more.port: taken");
        assertThat(problem.at().line()).isEqualTo(3);
        assertThat(now().server().historyLimit()).isEqualTo(9);
        assertThat(stats.value(ServerStats.CONFIG_REFUSED)).isOne();
        write(FILE.replace("limit: 9", "limit: 11"));
        assertThat(service.reload("t").outcome().applied()).isTrue();
        assertThat(asked).containsExactly("[http] to [http, more]", "[http] to [http]", "begun with 11");
    }

    @Test
    void emptyEntriesComeAndGoToo() throws IOException {
        write(FILE.replace("shop: {hosts: [shop.test], limits: {connections: 7}}", "shop: {}"));
        assertThat(service.reload("t").outcome().applied()).isTrue();
        assertThat(virtualServer("shop").hosts()).isEmpty();
        write(FILE.replace("  shop: {hosts: [shop.test], limits: {connections: 7}}", "  {}"));
        assertThat(service.reload("t").outcome().applied()).isTrue();
        assertThat(now().virtualServers()).isEmpty();
        write(FILE);
        assertThat(service.reload("t").outcome().applied()).isTrue();
        assertThat(now().virtualServers()).containsOnlyKeys("shop");
    }

    @Test
    void namedEntriesComeAndGoByPatch() throws IOException {
        assertThat(refusal("virtual-servers.news.hosts", "[news.test]")).contains("there is no \"news\"");
        assertThat(refusal("virtual-servers.news", "yes")).contains("section whole");
        assertThat(refusal("virtual-servers.news", "{host: [a]}")).contains("hosts");
        assertThat(refusal("cache.disk.partitions.more", "{path: more}")).contains("only at start");
        assertThat(patch("virtual-servers.news", "{hosts: [news.test]}", true).problems())
                .isEmpty();
        assertThat(patch("virtual-servers.news.hosts", "[n.test]", true).problems())
                .isEmpty();
        assertThat(virtualServer("news").hosts()).containsExactly("n.test");
        assertThat(load().value().virtualServers()).containsOnlyKeys("shop", "news");
        assertThat(patch("virtual-servers.news", "", true).problems()).isEmpty();
        assertThat(now().virtualServers()).containsOnlyKeys("shop");
        assertThat(load().value().virtualServers()).containsOnlyKeys("shop");
    }

    @Test
    void entryOfTheFileIsReplacedWholeAndGoesAndComesBack() throws IOException {
        patch("virtual-servers.shop", "{hosts: [b.test]}", true);
        assertThat(virtualServer("shop").limits().connections()).isZero();
        assertThat(load().problems()).isEmpty();
        assertThat(load().value().virtualServers()).isEqualTo(now().virtualServers());
        patch("virtual-servers.shop", "", true);
        assertThat(now().virtualServers()).isEmpty();
        assertThat(load().value().virtualServers()).isEmpty();
        assertThat(service.drop("virtual-servers.shop", "t").problems()).isEmpty();
        assertThat(virtualServer("shop").hosts()).containsExactly("shop.test");
        patch("virtual-servers.shop", "", true);
        assertThat(service.rollback(1, "t").problems()).isEmpty();
        assertThat(virtualServer("shop").hosts()).containsExactly("shop.test");
        assertThat(load().value().virtualServers()).isEqualTo(now().virtualServers());
    }
}
