package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Live;
import io.weir.base.SteppedClock;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each configuration that is applied is kept under its number, and can be gone back to. */
final class AppliedConfigurationsTest extends KnobFixture {
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
        service.patch(changes("server.history-limit", "9"), "t", true);
        assertThat(service.rollback(1, "t").number()).isEqualTo(3);
        assertThat(service.rollback(1, "t").number()).as("the one in force").isEqualTo(3);
    }

    @Test
    void rollbackOverAStaticKeyIsRefusedOnlineAndDoneOffline() throws IOException {
        service("server.name=other");
        KnobService second = service("server.name=other");
        assertThat(second.rollback(1, "t").problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what())
                        .isEqualTo("takes effect only at start: stop the server, then run ./weir config rollback 1"));
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
                cache:
                  disk: {partitions: {more: {path: more}}}
                server:
                  name: edge
                """);
        KnobService second = service();
        assertThat(second.rollback(1, "t").problems())
                .anySatisfy(p -> assertThat(p.what()).contains("only at start"));
        assertThat(Overrides.rollback(load(), data, 1)).isEmpty();
        assertThat(load().problems()).isEmpty();
        assertThat(load().value().cache().disk().partitions()).isEmpty();
        assertThat(load().value().listeners()).containsOnlyKeys("http");
        assertThat(load().value().listeners().values().iterator().next().backlog())
                .isEqualTo(4096);
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
        assertThat(service.text()).endsWith("\n" + YamlText.of(load().tree()));
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

    private static String source(KnobService of, String key) {
        return of.knobs().stream()
                .filter(v -> v.item().key().equals(key))
                .findFirst()
                .orElseThrow()
                .source();
    }

    /** Not the copies and the files in between, which no operator knows. */
    @Test
    void otherProcessesNameTheSourcesThatTheFirstOneNames() throws IOException {
        KnobService other = other();
        Path file = home.resolve("in-force.yaml");
        service.patch(changes("kernel.mode", "low-latency"), "anna", false);
        Files.writeString(file, KnobService.numbered(2, service.text()));
        assertThat(other.follow(file).applied()).isTrue();
        LoadedConfig late = load().inForce(file);
        KnobService started =
                new KnobService(late, new Live<>(late.value()), data, false, new SteppedClock(0), stats, log);
        for (KnobService each : List.of(service, other, started)) {
            assertThat(source(each, "kernel.mode")).startsWith("live change by anna at 2023-");
            assertThat(source(each, "server.name")).endsWith("weir.yaml:4:9");
        }
        service.patch(changes("server.log.levels", "[Socket=fine, HTTP=error]"), "bert", false);
        Files.writeString(file, service.text());
        assertThat(other.follow(file).changed()).containsExactly("server.log.levels");
        assertThat(source(other, "server.log.levels")).startsWith("live change by bert");
    }

    @Test
    void aCopyIsNamedAsTheFileThatItIsOf() throws IOException {
        Path copy = Files.writeString(home.resolve("copy.yaml"), "listeners: {http: {port: 0}}\nserver: {nam: x}\n");
        LoadedConfig loaded = new ConfigLoader(copy, List.of(), home)
                .shownAs("/etc/weir.yaml")
                .load();
        assertThat(loaded.source()).isEqualTo("/etc/weir.yaml");
        assertThat(loaded.problems())
                .singleElement()
                .asString()
                .startsWith("/etc/weir.yaml:2:10: server.nam: unknown key");
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
}
