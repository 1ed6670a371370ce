package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class KnobServiceTest {
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();

    @TempDir
    private Path home = Path.of("");

    private Path data = home;
    private KnobService service;

    @BeforeEach
    void start() throws IOException {
        data = Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nserver:\n  name: edge\n");
        service = service();
    }

    private LoadedConfig load(String... sets) {
        return new ConfigLoader(home.resolve("weir.yaml"), List.of(sets), home).load();
    }

    private KnobService service(String... sets) {
        LoadedConfig loaded = load(sets);
        KnobService s = new KnobService(
                loaded, new Live<>(loaded.value()), data, true, new SteppedClock(1_700_000_000_000L), stats, log);
        s.started("weir.yaml");
        return s;
    }

    private static Map<String, ConfigNode> changes(String... pairs) {
        Map<String, ConfigNode> changes = new LinkedHashMap<>();
        List<ConfigProblem> problems = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            changes.put(pairs[i], Yaml.value("PATCH", pairs[i + 1], problems));
        }
        assertThat(problems).isEmpty();
        return changes;
    }

    private KnobService.View view(String key) {
        return service.knobs().stream()
                .filter(v -> v.item().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void trialSaysWhatWouldBeAndNeitherAppliesNorKeepsIt() throws IOException {
        KnobService trial = service.trial();
        assertThat(trial.patch(changes("kernel.keep-alive.timeout", "7s"), "t", true)
                        .changed())
                .containsExactly("kernel.keep-alive.timeout");
        assertThat(trial.text()).contains("timeout: 7s");
        assertThat(service.text()).doesNotContain("timeout: 7s");
        assertThat(service.live().get().kernel().keepAlive().timeout()).hasToString("PT30S");
        assertThat(service.persisted("kernel")).isFalse();
        assertThat(service.trial()
                        .patch(changes("kernel.keep-alive.timeout", "x"), "t", false)
                        .applied())
                .isFalse();
    }

    @Test
    void everyKnobIsShownWithValueAndSource() {
        assertThat(view("server.name").item().text()).isEqualTo("edge");
        assertThat(view("server.name").source()).endsWith("weir.yaml:4:9");
        assertThat(view("kernel.keep-alive.timeout").source()).isEqualTo("default");
        assertThat(view("listeners.http.backlog").item().text()).isEqualTo("4096");
    }

    @Test
    void dynamicChangeIsSeenByThePartsAtOnce() throws IOException {
        List<String> seen = new ArrayList<>();
        service.live().part(c -> c.kernel().keepAlive().timeout().toString()).observe(seen::add);
        KnobService.Outcome outcome = service.patch(changes("kernel.keep-alive.timeout", "7s"), "token", false);
        assertThat(outcome.applied()).isTrue();
        assertThat(outcome.changed()).containsExactly("kernel.keep-alive.timeout");
        assertThat(seen).last().isEqualTo("PT7S");
        assertThat(view("kernel.keep-alive.timeout").source()).startsWith("live change by token at 2023-11-14");
        assertThat(log.count(ServerMessages.CONFIGURATION_APPLIED)).isEqualTo(1);
        assertThat(stats.value(ServerStats.CONFIG_CHANGES)).isEqualTo(1);
    }

    @Test
    void changesAreAllAppliedOrNone() throws IOException {
        KnobService.Outcome outcome = service.patch(
                changes("server.history-limit", "9", "kernel.keep-alive.timeout", "never", "admin.port", "1"),
                "t",
                true);
        assertThat(outcome.applied()).isFalse();
        assertThat(outcome.problems()).anySatisfy(p -> assertThat(p.key()).isEqualTo("admin.port"));
        assertThat(service.live().get().server().historyLimit()).isEqualTo(500);
        assertThat(data.resolve(Overrides.FILE)).doesNotExist();
        assertThat(stats.value(ServerStats.CONFIG_REFUSED)).isEqualTo(1);
    }

    private String refusal(String... pairs) throws IOException {
        KnobService.Outcome outcome = service.patch(changes(pairs), "t", false);
        assertThat(outcome.problems()).hasSize(1);
        return outcome.problems().getFirst().what();
    }

    @Test
    void anUnknownKeyHidesNoWrongValue() throws IOException {
        KnobService.Outcome outcome =
                service.patch(changes("server.nam", "x", "kernel.drain-time-out", "soon"), "t", false);
        assertThat(outcome.problems())
                .extracting(ConfigProblem::key)
                .containsExactly("server.nam", "kernel.drain-time-out");
    }

    @Test
    void whatIsWrongHasItsPlaceInWhatWasSent() throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Mapping body = Yaml.json(
                "body",
                "{\"kernel.keep-alive.timeout\": \"5 parsecs\",\n \"proxy.routes\": [{\"path\": \"/x\", \"pool\": \"n\"}]}",
                problems);
        assertThat(service.patch(body.entries(), "t", false).problems())
                .extracting(p -> p.at().source() + ":" + p.at().line() + " " + p.key())
                .containsExactlyInAnyOrder("body:1 kernel.keep-alive.timeout", "body:2 proxy.routes[0].pool");
    }

    @Test
    void whatIsNoJsonIsSaidWithoutWordsOfTheParser() {
        List<ConfigProblem> problems = new ArrayList<>();
        Yaml.json("body", "{\"a\": [1,", problems);
        assertThat(problems)
                .singleElement()
                .satisfies(p -> assertThat(p.what())
                        .startsWith("not JSON: Unexpected end-of-input")
                        .doesNotContain("Source", "REDACTED", "UNKNOWN"));
    }

    @Test
    void theOrderOfVirtualServersWaitsForARestartAndIsNamed() throws IOException {
        Path file = home.resolve("weir.yaml");
        String text = Files.readString(file);
        Files.writeString(file, text + "virtual-servers: {a: {hosts: [x.test]}, b: {hosts: [x.test]}}\n");
        assertThat(service.reload("t").atRestart()).isEmpty();
        Files.writeString(file, text + "virtual-servers: {b: {hosts: [x.test]}, a: {hosts: [x.test]}}\n");
        assertThat(service.reload("t").atRestart()).containsExactly("virtual-servers");
        Files.writeString(file, text + "virtual-servers: {a: {hosts: [x.test]}}\n");
        assertThat(service.reload("t").atRestart()).isEmpty();
    }

    @Test
    void refusalsSayWhy() throws IOException {
        assertThat(refusal("server.nam", "x")).isEqualTo("unknown key; did you mean \"server.name\"?");
        assertThat(refusal("server.name", "x")).contains("only at start");
        assertThat(refusal("kernel.keep-alive", "{timeout: 5s}")).contains("section");
        assertThat(refusal("kernel.keep-alive.timeout", "soon")).contains("expected a duration");
        assertThat(refusal("server.history-limit", "1")).contains("allowed range is 2 to 100000");
        assertThat(refusal("server.log.levels", "[Socket=loud]")).contains("expected one of");
        assertThat(service.patch(Map.of(), "t", false).problems()).hasSize(1);
    }

    @Test
    void persistedChangeIsInForceAfterTheNextStart() throws IOException {
        service.patch(changes("server.history-limit", "9"), "t", true);
        service.patch(changes("kernel.keep-alive.timeout", "7s"), "t", false);
        LoadedConfig next = load();
        assertThat(next.problems()).isEmpty();
        assertThat(next.value().server().historyLimit()).isEqualTo(9);
        assertThat(next.value().kernel().keepAlive().timeout()).hasSeconds(30);
    }

    @Test
    void changeThatCannotBePersistedIsNotApplied() throws IOException {
        Files.createDirectory(data.resolve(Overrides.FILE));
        Files.writeString(data.resolve(Overrides.FILE).resolve("full"), "");
        assertThatThrownBy(() -> service.patch(changes("server.history-limit", "9"), "t", true))
                .isInstanceOf(NotWritten.class)
                .hasMessageStartingWith(data.resolve(Overrides.FILE).toAbsolutePath() + " cannot be written: ");
        assertThat(service.live().get().server().historyLimit()).isEqualTo(500);
    }

    @Test
    void everyAppliedConfigurationIsKeptWithTimeAndAuthor() throws IOException {
        service.patch(changes("server.history-limit", "9"), "anna", false);
        List<History.Entry> entries = new History(data).entries();
        assertThat(entries).extracting(History.Entry::number).containsExactly(1, 2);
        assertThat(entries).extracting(History.Entry::author).containsExactly("start", "anna");
        assertThat(entries).extracting(History.Entry::time).containsOnly("2023-11-14T22:13:20Z");
        assertThat(entries.getLast().what()).isEqualTo("server.history-limit");
        assertThat(History.diff(new History(data).read(1), new History(data).read(2)))
                .containsExactly("+ server.history-limit: 9");
    }

    @Test
    void startWithTheSameConfigurationAddsNothing() throws IOException {
        service();
        service();
        assertThat(new History(data).entries()).hasSize(1);
    }

    @Test
    void historyIsBounded() throws IOException {
        for (int i = 3; i < 9; i++) {
            service.patch(changes("server.history-limit", "3", "kernel.keep-alive.timeout", i + "s"), "t", false);
        }
        assertThat(new History(data).entries())
                .extracting(History.Entry::number)
                .containsExactly(5, 6, 7);
    }

    @Test
    void rollbackGoesBackAndPersists() throws IOException {
        service.patch(changes("server.history-limit", "9", "server.log.levels", "[Socket=fine]"), "t", true);
        KnobService.Outcome outcome = service.rollback(1, "anna");
        assertThat(outcome.problems()).isEmpty();
        assertThat(service.live().get().server().historyLimit()).isEqualTo(500);
        assertThat(service.live().get().server().log().levels()).isEmpty();
        assertThat(load().value().server().historyLimit()).isEqualTo(500);
        assertThat(new History(data).entries().getLast().author()).isEqualTo("anna");
    }

    @Test
    void rollbackToWhatIsInForceChangesNothing() throws IOException {
        assertThat(service.rollback(1, "t").changed()).isEmpty();
        assertThat(new History(data).entries()).hasSize(1);
    }

    @Test
    void rollbackOverAStaticKeyIsRefusedOnlineAndDoneOffline() throws IOException {
        service("server.name=other");
        KnobService second = service("server.name=other");
        assertThat(second.rollback(1, "t").problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what()).contains("only at start"));
        Files.writeString(home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nserver:\n  name: newest\n");
        assertThat(Overrides.rollback(load(), data, 2)).isEmpty();
        assertThat(load().value().server().name()).isEqualTo("other");
    }

    @Test
    void rollbackRemovesEntriesThatWereAddedSince() throws IOException {
        Files.writeString(home.resolve("weir.yaml"), """
                listeners:
                  http: {port: 0, backlog: 7}
                  more: {port: 0, backlog: 9}
                messaging:
                  quotas: {more: {}}
                server:
                  name: edge
                """);
        KnobService second = service();
        assertThat(second.rollback(1, "t").problems())
                .anySatisfy(p -> assertThat(p.what()).contains("only at start"));
        assertThat(Overrides.rollback(load(), data, 1)).isEmpty();
        assertThat(load().problems()).isEmpty();
        assertThat(load().value().messaging().quotas()).isEmpty();
        assertThat(load().value().listeners()).containsOnlyKeys("http");
        assertThat(load().value().listeners().values().iterator().next().backlog())
                .isEqualTo(4096);
    }

    @Test
    void droppedChangeGivesWayToWhatFileAndCommandLineSay() throws IOException {
        Files.writeString(home.resolve("weir.yaml"), """
                listeners:
                  http: {port: 0}
                kernel:
                  drain-time-out: 3s
                """);
        service = service("server.history-limit=50");
        service.patch(
                changes(
                        "kernel.drain-time-out", "4s",
                        "kernel.keep-alive.timeout", "7s",
                        "kernel.mode", "low-latency",
                        "server.history-limit", "9"),
                "t",
                true);
        assertThat(service.persisted("kernel.accept-time-out")).isFalse();

        assertThat(service.drop("kernel.drain-time-out", "anna").changed()).containsExactly("kernel.drain-time-out");
        assertThat(service.live().get().kernel().drainTimeOut()).hasSeconds(3);
        assertThat(service.drop("kernel", "anna").changed())
                .containsExactlyInAnyOrder("kernel.keep-alive.timeout", "kernel.mode");
        assertThat(service.live().get().kernel().keepAlive().timeout()).hasSeconds(30);
        assertThat(service.persisted("kernel")).isFalse();
        assertThat(load().overrides().entries()).containsOnlyKeys("server");
        assertThat(log.count(ServerMessages.OVERRIDE_DROPPED)).isEqualTo(2);
        assertThat(new History(data).entries().getLast().author()).isEqualTo("anna");
    }

    @Test
    void droppedChangeOfAStaticKnobCountsFromTheNextStart() throws IOException {
        Files.writeString(data.resolve(Overrides.FILE), "server:\n  name: other\n");
        service = service();
        assertThat(service.live().get().server().name()).isEqualTo("other");
        assertThat(service.drop("server.name", "t").changed()).isEmpty();
        assertThat(service.live().get().server().name()).isEqualTo("other");
        assertThat(load().value().server().name()).isEqualTo("edge");
    }

    @Test
    void changesAreDroppedWithoutAServerToo() throws IOException {
        service.patch(changes("server.history-limit", "9", "kernel.mode", "low-latency"), "t", true);
        assertThat(Overrides.drop(load(), data, "kernel.muxer")).isEmpty();
        assertThat(Overrides.drop(load(), data, "kernel.mode")).containsExactly("kernel.mode");
        assertThat(load().overrides().entries()).containsOnlyKeys("server");
    }

    @Test
    void rollbackToAnUnknownConfigurationFails() {
        assertThatThrownBy(() -> service.rollback(99, "t"))
                .isInstanceOf(History.Missing.class)
                .hasMessageContaining("there is no configuration 99");
    }

    @Test
    void rollbackToOneThatWasJustTrimmedSaysThatItIsGone() throws IOException {
        assertThat(service.patch(changes("server.history-limit", "2"), "t", false)
                        .problems())
                .isEmpty();
        service.patch(changes("kernel.mode", "low-latency"), "t", false);
        assertThatThrownBy(() -> service.rollback(1, "t")).isInstanceOf(History.Missing.class);
    }

    /** What a link without its target is, as is a file that is dropped after it was listed. */
    @Test
    void entryThatGoesWhileItIsReadIsMissing() throws IOException {
        Files.createSymbolicLink(data.resolve(History.FOLDER).resolve("000002.yaml"), home.resolve("gone"));
        assertThatThrownBy(() -> service.rollback(2, "t")).isInstanceOf(History.Missing.class);
        assertThat(new History(data).entries())
                .extracting(History.Entry::number)
                .containsExactly(1);
    }

    @Test
    void rollbackSaysNoMoreWhatWasNotSaidThen() throws IOException {
        service.patch(changes("kernel.mode", "low-latency", "server.history-limit", "9"), "t", true);
        assertThat(service.rollback(1, "t").problems()).isEmpty();
        assertThat(load().overrides().entries())
                .as("nothing lies over the file")
                .isEmpty();
        assertThat(service.text()).isEqualTo(YamlText.of(load().tree()));
        assertThat(service.knobs())
                .filteredOn(v -> v.item().key().equals("kernel.mode"))
                .singleElement()
                .satisfies(v -> assertThat(v.source()).isEqualTo("default"));
        assertThat(service.rollback(2, "t").problems()).isEmpty();
        assertThat(load().value().server().historyLimit()).isEqualTo(9);
    }

    @Test
    void rollbackLaysTheDefaultOverWhatTheFileSaysByNow() throws IOException {
        Files.writeString(
                home.resolve("weir.yaml"),
                Files.readString(home.resolve("weir.yaml")) + "kernel: {mode: low-latency}\n");
        assertThat(service.reload("t").outcome().problems()).isEmpty();
        assertThat(service.rollback(1, "t").problems()).isEmpty();
        assertThat(load().problems()).isEmpty();
        assertThat(load().value().kernel().mode())
                .isEqualTo(service.live().get().kernel().mode());
        assertThat(service.persisted("kernel.mode")).isTrue();
    }

    @Test
    void numbersGoOnWhereTheHistoryCannotBeWritten() throws IOException {
        assertThat(service.current()).isEqualTo(1);
        Path folder = data.resolve(History.FOLDER);
        Files.delete(folder.resolve("000001.yaml"));
        Files.delete(folder);
        Files.writeString(folder, "no folder");
        assertThat(service.patch(changes("kernel.mode", "low-latency"), "t", false)
                        .number())
                .isEqualTo(2);
        assertThat(service.patch(changes("kernel.mode", "high-concurrency"), "t", false)
                        .number())
                .isEqualTo(3);
        assertThat(service.when(n -> n == 2, () -> "changed"))
                .as("a change that was meant for another one")
                .isEmpty();
        assertThat(service.when(n -> n == 3, () -> "changed")).contains("changed");
        assertThat(log.count(ServerMessages.HISTORY_FAILED)).isEqualTo(2);
        Files.delete(folder);
        assertThat(service.patch(changes("kernel.mode", "low-latency"), "t", false)
                        .number())
                .isEqualTo(4);
        assertThat(new History(data).entries().getLast().number()).isEqualTo(4);
    }

    /** What is in the history stays readable, and nothing can be added. */
    private Path blocked(int number) throws IOException {
        Path inTheWay = data.resolve(History.FOLDER).resolve("00000" + number + ".yaml.new");
        Files.createDirectories(inTheWay.resolve("not empty"));
        return inTheWay;
    }

    @Test
    void numberOfAConfigurationThatWasNotKeptIsNotThatOfAnother() throws IOException {
        Path inTheWay = blocked(2);
        assertThat(service.patch(changes("kernel.mode", "low-latency"), "t", false)
                        .number())
                .isEqualTo(2);
        Files.delete(inTheWay.resolve("not empty"));
        Files.delete(inTheWay);
        assertThat(service.rollback(1, "t").number())
                .as("as the last one that was kept, and later than it")
                .isEqualTo(3);
        assertThat(new History(data).entries())
                .extracting(History.Entry::number)
                .containsExactly(1, 3);
    }

    @Test
    void startThatCannotBeKeptHasANumberOfItsOwn() throws IOException {
        blocked(2);
        assertThat(service("server.name=other").current()).isEqualTo(2);
    }

    private KnobService other() {
        LoadedConfig loaded = load();
        return new KnobService(
                loaded, new Live<>(loaded.value()), data, false, new SteppedClock(1_700_000_000_000L), stats, log);
    }

    private List<Object> numbersTold() {
        return log.entries().stream()
                .filter(e -> e.message() == ServerMessages.CONFIGURATION_APPLIED)
                .map(e -> e.arguments().getFirst())
                .toList();
    }

    @Test
    void otherProcessesTellTheNumberThatTheFirstGave() throws IOException {
        KnobService other = other();
        Path file = home.resolve("next.yaml");
        service.patch(changes("kernel.mode", "low-latency"), "t", false);
        Files.writeString(file, KnobService.numbered(10, service.text()));
        assertThat(other.follow(file).number()).isEqualTo(10);
        Files.writeString(
                home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nserver: {name: edge, history-limit: 8}\n");
        assertThat(other.reload("upgrade").outcome().applied()).isTrue();
        assertThat(numbersTold())
                .as("the last is that of the history, where nobody says")
                .containsExactly(2, 10, 2);
    }

    /** The admin loop asks for both. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoLooksWaitsForNoChange() throws IOException {
        List<Integer> seen = new ArrayList<>();
        service.preparation((_, _, _) -> {
            seen.add(CompletableFuture.supplyAsync(() -> {
                        assertThat(service.knobs()).isNotEmpty();
                        return service.current();
                    })
                    .join());
            return Preparation.Ready.NOTHING;
        });
        assertThat(service.patch(changes("kernel.mode", "low-latency"), "t", false)
                        .number())
                .isEqualTo(2);
        assertThat(seen).as("what is in force during the change").containsExactly(1);
    }

    @Test
    void failingPartDoesNotUndoTheChange() throws IOException {
        service.live().part(WeirConfig::server).observe(c -> {
            if (c.historyLimit() == 9) {
                throw new IllegalStateException("part");
            }
        });
        assertThat(service.patch(changes("server.history-limit", "9"), "t", false)
                        .applied())
                .isTrue();
        assertThat(log.count(ServerMessages.OBSERVER_FAILED)).isEqualTo(1);
    }
}
