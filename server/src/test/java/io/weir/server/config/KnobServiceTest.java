package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KnobServiceTest extends KnobFixture {
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

    /** What is wrong, where, and what to do: no advice of the parser to those who program with it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a': [1,|body:1:|ends too early: close",
                "{'a': NaN}|body:1:|'NaN' is no value: a text stands between double quotes",
                "{'a': nope}|body:1:|'nope' is no value",
                "{'a': 01}|body:1:|leave the zeros out",
                "{'a': 1,}|body:1:|cannot stand here: keys and texts stand between double quotes",
                "{`a`: 1}|body:1:|cannot stand here",
                "/*c*/{'a': 1}|body:1:|there are no comments",
                "{'a': 'x\u0007'}|body:1:|a control character (code 7) stands in the text: write it as an escape",
                "{'a': 1} x|body:1:|'x' is no value",
                "{'a': 1} {}|body:1:|goes on behind its end: only one JSON object",
                "[]|body:1:|a JSON object is expected",
                "{'a': 9*}|body|too long",
                "{'a': '\\q'}|body:1:|a backslash",
                "{'a': '\\u00zz'}|body:1:|four hexadecimal digits",
                "{'a': 1.}|body:1:|a number ends too early",
                "{'a': -}|body:1:|a number ends too early",
                "\ufeff{'a': 1}|body:1:|a byte order mark",
                "{'a': 1]|body:1:|a bracket is closed that is not open"
            })
    void whatIsNoJsonIsSaidInWordsForTheOperator(String text, String at, String what) {
        List<ConfigProblem> problems = new ArrayList<>();
        Yaml.json("body", text.replace('\'', '"').replace("9*", "9".repeat(5000)), problems);
        assertThat(problems).isNotEmpty();
        assertThat(problems.getFirst().toString()).contains(at);
        assertThat(problems.getFirst().what())
                .contains(what.replace('\'', '"'))
                .doesNotContain("Source", "REDACTED", "UNKNOWN", "Feature", "Constraints", "expecting");
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
        assertThat(refusal("server.log.levels", "[http=fine, Sockt=fine]"))
                .startsWith("there is no subsystem \"Sockt\"; did you mean \"Socket\"? Known: Admin, Audit, ");
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

    /** Characters that YAML has only as escapes, such as in the body of an answer. */
    @Test
    void persistedTextIsReadAtTheNextStart() throws IOException {
        for (String text : List.of("\u0080", "\u0085", "\u009b", "\u2028", "\ufeff", "\ufffe", "\uffff", "\r\u0000")) {
            String body = "a" + text + "b";
            ConfigNode routes = Yaml.json(
                            "body",
                            "{\"proxy.routes\": [{\"path\": \"/\", \"respond\": {\"status\": 200, \"body\": \""
                                    + escaped(body) + "\"}}]}",
                            new ArrayList<>())
                    .entries()
                    .get("proxy.routes");
            KnobService.Outcome outcome = service.patch(Map.of("proxy.routes", routes), "t", true);
            assertThat(outcome.problems()).isEmpty();
            LoadedConfig next = load();
            assertThat(next.problems()).isEmpty();
            assertThat(next.value().proxy().routes().getFirst().respond().body())
                    .isEqualTo(body);
            assertThat(service.reload("t").outcome().applied()).isTrue();
            assertThat(new History(data).read(outcome.number()).find("proxy.routes"))
                    .satisfies(kept -> assertThat(Overlay.content(kept)).contains(body));
        }
        assertThat(Overrides.drop(load(), data, "proxy")).containsExactly("proxy.routes");
    }

    @Test
    void pathsAndAddressesOfRoutesHaveNoControlCharacters() throws IOException {
        for (String route : List.of(
                "{path: \"/a\\u0080\", respond: {status: 200}}",
                "{path: /, origins: [\"http://a\"], rewrite-path: \"/\\u009b\"}",
                "{path: /, redirect: {url: \"http://a/\\u0085\"}}",
                "{path: /, redirect: {url-prefix: \"http://a/\\x07\"}}")) {
            assertThat(service.patch(changes("proxy.routes", "[" + route + "]"), "t", true)
                            .problems())
                    .as(route)
                    .anySatisfy(p -> assertThat(p.what()).contains("control characters are not allowed"));
        }
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> out.append(String.format("\\u%04x", c)));
        return out.toString();
    }

    @Test
    void changeThatCouldNotBeReadAgainIsNotPutIntoForce() throws IOException {
        String half = "\u0080".repeat(Yaml.MAX_LENGTH / 10);
        Map<String, ConfigNode> routes = changes("proxy.routes", "[{path: /, respond: {status: 200, body: x}}]");
        assertThat(service.patch(routes, "t", true).applied()).isTrue();
        String before = Files.readString(data.resolve(Overrides.FILE));
        ConfigNode.Place at = ConfigNode.Place.of("body");
        ConfigNode large = new ConfigNode.Scalar(at, half + half);
        KnobService.Outcome outcome = service.patch(Map.of("proxy.access-log.custom", large), "t", true);
        assertThat(outcome.problems()).anySatisfy(p -> assertThat(p.what()).contains("longer than"));
        assertThat(data.resolve(Overrides.FILE)).hasContent(before);
        assertThat(load().problems()).isEmpty();
    }

    @Test
    void whatIsPersistedIsUnknownIfItCannotBeRead() throws IOException {
        Files.writeString(data.resolve(Overrides.FILE), "kernel:\n  mode: \"\u0080\"\n");
        assertThatThrownBy(() -> Overrides.drop(load(), data, "kernel.mode"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("overrides.yaml:2:10: the character U+0080 cannot stand in YAML")
                .hasMessageContaining("nothing was dropped");
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
