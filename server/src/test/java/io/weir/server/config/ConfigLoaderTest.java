package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigLoaderTest {
    private static final String HTTP = "listeners:\n  http:\n    port: 0\n";

    @TempDir
    private Path home = Path.of("");

    private LoadedConfig load(String text, String... sets) throws IOException {
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, text);
        return new ConfigLoader(file, List.of(sets), home).load();
    }

    private List<String> problems(String text, String... sets) throws IOException {
        return load(text, sets).problems().stream()
                .map(ConfigProblem::toString)
                .map(p -> p.replace(home + "/", ""))
                .toList();
    }

    @Test
    void embeddedDefaultIsCorrectAndListensOnLoopbackOnly() {
        LoadedConfig loaded = new ConfigLoader(null, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().listeners().values())
                .allSatisfy(l -> assertThat(l.address()).isEqualTo("127.0.0.1"));
        assertThat(loaded.value().admin().address()).isEqualTo("127.0.0.1");
        assertThat(loaded.value().admin().port()).isEqualTo(8888);
    }

    @Test
    void sampleConfigurationIsCorrect() {
        Path sample = Path.of("../etc/weir.yaml");
        LoadedConfig loaded = new ConfigLoader(sample, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
    }

    @Test
    void sampleOfAClusterIsCorrectAlsoForItsOtherMembers() {
        Path sample = Path.of("../etc/cluster.yaml");
        List<String> beta = List.of(
                "cluster.member=beta",
                "server.data-dir=data-beta",
                "listeners.http.port=8081",
                "listeners.messaging.port=7002",
                "admin.port=8889");
        assertThat(new ConfigLoader(sample, List.of(), home).load().problems()).isEmpty();
        assertThat(new ConfigLoader(sample, beta, home).load().problems()).isEmpty();
    }

    @Test
    void unknownKeyNamesPlaceAndNearestKey() throws IOException {
        assertThat(problems(HTTP + "kernel:\n  keep-alife:\n    timeout: 5s\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:5:3: kernel.keep-alife: unknown key; did you mean \"keep-alive\"?");
    }

    @Test
    void wrongTypeNamesPlaceAndWhatWasExpected() throws IOException {
        assertThat(problems("listeners:\n  http:\n    port: eighty\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:3:11: listeners.http.port: expected an integer")
                .contains("\"eighty\"");
    }

    @Test
    void severalProcessesNeedEpoll() throws IOException {
        assertThat(problems(HTTP + "server: {processes: 2}\n")).isEmpty();
        assertThat(problems(HTTP + "server: {processes: 2}\nkernel: {muxer: nio}\n"))
                .singleElement()
                .asString()
                .contains("server.processes: more than one process needs kernel.muxer auto or epoll, which is nio");
    }

    @Test
    void outOfRangeNamesTheAllowedRange() throws IOException {
        assertThat(problems("listeners:\n  http:\n    port: 70000\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:3:11: listeners.http.port: allowed range is 0 to 65535");
    }

    @Test
    void sectionInPlaceOfAValueIsTold() throws IOException {
        assertThat(problems("listeners:\n  http:\n    port:\n      number: 1\n"))
                .singleElement()
                .asString()
                .contains("listeners.http.port: expected integer, found a section with keys");
    }

    @Test
    void everyProblemIsToldInTheOrderOfTheFile() throws IOException {
        List<String> all =
                problems("server:\n  nam: x\nlisteners:\n  http:\n    port: x\n    backlog: 0\nadmin:\n  prt: 1\n");
        assertThat(all).hasSize(4);
        assertThat(all.get(0)).startsWith("weir.yaml:2:3: server.nam");
        assertThat(all.get(1)).startsWith("weir.yaml:5:11: listeners.http.port");
        assertThat(all.get(2)).startsWith("weir.yaml:6:14: listeners.http.backlog");
        assertThat(all.get(3)).startsWith("weir.yaml:8:3: admin.prt");
    }

    @Test
    void missingFileIsAProblem() {
        LoadedConfig loaded = new ConfigLoader(home.resolve("none.yaml"), List.of(), home).load();
        assertThat(loaded.problems()).anySatisfy(p -> assertThat(p.what()).contains("no such file"));
    }

    @Test
    void emptySectionMeansItsDefaults() throws IOException {
        assertThat(problems(HTTP + "kernel:\nadmin:\nproxy:\n")).isEmpty();
    }

    @Test
    void setLiesOverTheFile() throws IOException {
        LoadedConfig loaded = load(HTTP + "server:\n  name: a\n", "server.name=b", "listeners.http.backlog=7");
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().server().name()).isEqualTo("b");
        assertThat(loaded.value().listeners()).hasEntrySatisfying("http", l -> {
            assertThat(l.backlog()).isEqualTo(7);
            assertThat(l.port()).isZero();
        });
    }

    @Test
    void overridesLieOverTheFileAndUnderSet() throws IOException {
        Path data = Files.createDirectories(home.resolve("data"));
        Files.writeString(data.resolve(Overrides.FILE), "server:\n  name: kept\n  history-limit: 7\n");
        LoadedConfig loaded = load(HTTP + "server:\n  name: a\n  history-limit: 6\n", "server.name=set");
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().server().name()).isEqualTo("set");
        assertThat(loaded.value().server().historyLimit()).isEqualTo(7);
        assertThat(loaded.shadowedOverrides()).containsExactly("server.name");
    }

    @Test
    void overridesAreThoseOfTheConfiguredDataDirectory() throws IOException {
        Path other = Files.createDirectories(home.resolve("other"));
        Files.writeString(other.resolve(Overrides.FILE), "server:\n  name: other\n");
        assertThat(load(HTTP).value().server().name()).isEqualTo("weir");
        assertThat(load(HTTP, "server.data-dir=other").value().server().name()).isEqualTo("other");
    }

    @Test
    void badSetIsToldAsWritten() throws IOException {
        assertThat(problems(HTTP, "nonsense"))
                .singleElement()
                .asString()
                .contains("--set nonsense")
                .contains("key=value");
        assertThat(problems(HTTP, "server.nam=x"))
                .singleElement()
                .asString()
                .startsWith("--set server.nam: unknown key");
        assertThat(problems(HTTP, "listeners.http.port=99999"))
                .singleElement()
                .asString()
                .startsWith("--set listeners.http.port: allowed range");
    }

    @Test
    void configurationWithoutListenersIsRefused() throws IOException {
        assertThat(problems("server:\n  name: x\n"))
                .singleElement()
                .asString()
                .matches("weir.yaml:1:1: .*no listener is configured.*");
    }

    @Test
    void listenerOfAnUnknownVirtualServerIsRefused() throws IOException {
        assertThat(problems(
                        "listeners:\n  http:\n    port: 0\n    virtual-server: shopp\nvirtual-servers:\n  shop: {}\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:4:5: listeners.http.virtual-server: there is no virtual server \"shopp\"")
                .contains("did you mean \"shop\"?");
    }

    @Test
    void virtualServerOfAnUnknownListenerIsRefused() throws IOException {
        assertThat(problems(HTTP + "virtual-servers:\n  shop:\n    listeners: [htp]\n"))
                .anySatisfy(p ->
                        assertThat(p).contains("there is no listener \"htp\"").contains("did you mean \"http\"?"));
    }

    @Test
    void twoListenersOnOnePortAreRefused() throws IOException {
        assertThat(problems("listeners:\n  a: {port: 8081}\n  b: {port: 8081}\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:3:7: listeners.b.port: the port 8081 of 127.0.0.1 is taken by listeners.a.port");
        assertThat(problems("listeners:\n  a: {port: 8888, address: 0.0.0.0}\n"))
                .singleElement()
                .asString()
                .contains("taken by admin.port");
        assertThat(
                        problems(
                                "listeners:\n  a: {port: 8081, address: 127.0.0.2}\n  b: {port: 8081}\n  c: {port: 0}\n  d: {port: 0}\n"))
                .isEmpty();
    }

    @Test
    void unreadableCertificateIsRefused() throws IOException {
        assertThat(
                        problems(
                                "listeners:\n  https:\n    port: 0\n    tls:\n      certificates:\n        - chain-file: /none.pem\n          key-file: /none.key\n"))
                .hasSize(2)
                .allSatisfy(p -> assertThat(p)
                        .containsPattern("weir.yaml:[67]:11")
                        .contains("does not exist or cannot be read"));
        assertThat(problems(
                        "listeners:\n  https:\n    port: 0\n    tls:\n      certificates: [{chain-file: /none.pem}]\n"))
                .singleElement()
                .asString()
                .contains("needs chain-file and key-file");
    }

    @Test
    void moreMinimumThanMaximumThreadsAreRefused() throws IOException {
        assertThat(problems(HTTP + "work-managers:\n  slow: {min-threads: 9, max-threads: 8}\n"))
                .singleElement()
                .asString()
                .contains("work-managers.slow.min-threads: is 9, more than max-threads 8");
    }

    @Test
    void badLogLevelIsRefused() throws IOException {
        assertThat(problems(HTTP + "server:\n  log:\n    levels: [Socket=loud]\n"))
                .singleElement()
                .asString()
                .startsWith("weir.yaml:6:5: server.log.levels: expected one of");
    }

    @Test
    void nameWithADotIsRefused() throws IOException {
        assertThat(problems("listeners:\n  a.b: {port: 0}\n  c: {port: 0}\n"))
                .singleElement()
                .asString()
                .contains("a name has 1 to 64");
    }

    @Test
    void messagingRefersToQuotasThatExistAndItsLimitsFitEachOther() throws Exception {
        assertThat(problems("""
                listeners: {m: {port: 0, protocol: weir}}
                messaging:
                  queues: {demo: {quota: smal}}
                  quotas: {small: {}}
                  wire: {outbound: {limit: 1MiB}}
                """))
                .anySatisfy(p -> assertThat(p)
                        .contains("messaging.queues.demo.quota: there is no quota \"smal\"; did you mean \"small\"?"))
                .anySatisfy(p -> assertThat(p).contains("messaging.wire.outbound.limit: is 1MiB, less than max-frame"));
    }

    /** Clients would send to one of them without an error. */
    @Test
    void noTwoEntriesAreLookedUpByOneName() throws Exception {
        assertThat(problems("""
                listeners: {m: {port: 0, protocol: weir}}
                messaging:
                  queues: {a: {jndi-name: my/name}, b: {jndi-name: my/name}, c: {jndi-name: queue/d}, d: {}}
                  topics: {c: {}}
                  connection-factories: {default: {}, mine: {jndi-name: jms/default}}
                """))
                .hasSize(3)
                .anySatisfy(p -> assertThat(p)
                        .contains("messaging.queues.b.jndi-name: is looked up as my/name, which is the name of"
                                + " messaging.queues.a, too"))
                .anySatisfy(p -> assertThat(p)
                        .contains(
                                "messaging.queues.d: is looked up as queue/d, which is the name of messaging.queues.c"))
                .anySatisfy(p -> assertThat(p)
                        .contains("messaging.connection-factories.mine.jndi-name: is looked up as jms/default"));
    }
}
