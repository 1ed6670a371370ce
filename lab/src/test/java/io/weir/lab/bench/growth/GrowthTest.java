package io.weir.lab.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.peer.GrowthConfigs;
import io.weir.lab.bench.process.BenchFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GrowthTest {
    @ParameterizedTest
    @EnumSource
    void stepsRiseAndAreSeveral(Growth growth) {
        assertThat(growth.steps()).hasSizeGreaterThan(1).isSorted().doesNotHaveDuplicates();
        assertThat(growth.steps(1_000_000)).isEqualTo(growth.steps());
    }

    @Test
    void theRequiredEndsAreThere() {
        assertThat(Growth.CONNECTIONS.steps()).startsWith(10L).endsWith(10_000L);
        assertThat(Growth.OBJECTS.steps()).startsWith(100L).endsWith(1_000_000L);
        assertThat(Growth.FIELDS.steps()).startsWith(10L).endsWith(100L);
        assertThat(Growth.ORIGINS.steps()).startsWith(1L).endsWith(1000L);
        assertThat(Growth.QUEUES.steps()).startsWith(1L).endsWith(10_000L);
        assertThat(Growth.SUBSCRIBERS.steps()).startsWith(1L).endsWith(1000L);
        assertThat(Growth.BACKLOG.steps()).startsWith(0L).endsWith(1_000_000L);
    }

    @Test
    void largerStepsCanBeLeftOut() {
        assertThat(Growth.OBJECTS.steps(10_000)).containsExactly(100L, 1000L, 10_000L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Growth.OBJECTS.steps(999))
                .withMessage(
                        "objects has no two steps up to 999; its steps are 100, 1,000, 10,000, 100,000, 1,000,000");
    }

    @Test
    void randomTargetsOfAllStepsDifferInNothingButTheirNumber() {
        String few = GrowthScripts.objects(100).atRandom(7);
        String many = GrowthScripts.objects(1_000_000).atRandom(7);
        assertThat(many).isEqualTo(few.replace("random(0, 99)", "random(0, 999999)"));
        assertThat(few).contains("math.randomseed(7)", "\"GET /o/%07d HTTP/1.1\\r\\nHost: bench.test\\r\\n\\r\\n\", i");
        assertThat(GrowthScripts.objects(100).atRandom(8)).isNotEqualTo(few);
    }

    @Test
    void fillingGoesOnWhereItEnded() {
        assertThat(GrowthScripts.objects(1000).inOrder(250))
                .contains("local i = 249\n", "i = (i + 1) % 1000")
                .doesNotContain("random");
    }

    @Test
    void eachNumberOfVariantsHasItsOwnUri() {
        assertThat(GrowthScripts.variants(10).atRandom(1))
                .contains("GET /v/00010 HTTP/1.1\\r\\nHost: bench.test\\r\\nX-Variant: %07d\\r\\n\\r\\n\", i");
        assertThat(GrowthScripts.variants(1000).atRandom(1)).contains("GET /v/01000 ");
    }

    @Test
    void requestsOfRoutesAreSpreadOverAllRulesWithTheSameNumberOfObjects() {
        assertThat(GrowthScripts.routes(10).count())
                .isEqualTo(GrowthScripts.routes(10_000).count());
        assertThat(GrowthScripts.routes(100).atRandom(1))
                .contains("\"GET /app-%05d/%05d HTTP/1.1", ", i % 100, math.floor(i / 100)");
    }

    @Test
    void aRequestHasExactlyAsManyFields() {
        for (long fields : List.of(1L, 10L, 100L)) {
            String text = GrowthScripts.fields(fields).split("\"", -1)[1];
            assertThat(text).startsWith("GET /f HTTP/1.1\\r\\n").endsWith("\\r\\n\\r\\n");
            assertThat(text.split("\\\\r\\\\n", -1)).hasSize((int) fields + 3);
        }
    }

    @Test
    void originsHaveAddressesOfTheirOwn() {
        assertThat(GrowthConfigs.address(0)).isEqualTo("127.0.1.1");
        assertThat(GrowthConfigs.address(999)).isEqualTo("127.0.4.250");
        assertThat(GrowthConfigs.origin(Path.of("/tmp/x"), 8000, 2))
                .contains("listen 127.0.0.1:8000 ", "listen 127.0.1.2:8000;")
                .doesNotContain("127.0.1.3");
        assertThat(GrowthConfigs.origins(8000, 2))
                .contains("- {path: \"/m/00001/\", origins: [\"http://127.0.1.2:8000\"]}", "idle-time-out: 280s")
                .doesNotContain("/m/00002/", "127.0.0.1:8000");
        assertThat(GrowthConfigs.pool(8000, 2))
                .contains("{path: /, pool: p}", "- {url: \"http://127.0.1.2:8000\"}")
                .doesNotContain("127.0.1.3", "127.0.0.1:8000");
        assertThat(HttpGrowths.addresses(Growth.ORIGINS, List.of(1L, 1000L))).isEqualTo(1000);
        assertThat(HttpGrowths.addresses(Growth.OBJECTS, List.of(100L, 1000L))).isZero();
    }

    @Test
    void samplesOfANameAreAdded() throws IOException {
        String text = """
                # HELP weir_cache_entries Objects in the store.
                weir_cache_entries 7.0
                weir_cache_entries_more 100.0
                weir_destination_consumers{destination="queue/a"} 2.0
                weir_destination_consumers{destination="topic/t"} 3.0
                """;
        assertThat(sum(text, "weir_cache_entries", "")).isEqualTo(7);
        assertThat(sum(text, "weir_destination_consumers", "")).isEqualTo(5);
        assertThat(sum(text, "weir_destination_consumers", "destination=\"topic/t\""))
                .isEqualTo(3);
        assertThat(sum(text, "weir_destination", "")).isZero();
    }

    private static double sum(String text, String name, String label) throws IOException {
        return Statistics.sum(new BufferedReader(new StringReader(text)), name, label);
    }

    @Test
    void aBrokerHasAllQueues() {
        assertThat(GrowthConfigs.messaging(2))
                .contains("q-00000: {}", "q-00001: {}")
                .doesNotContain("q-00002");
    }

    @Test
    void membersKnowEachOtherUnlessThereIsOne() {
        assertThat(GrowthConfigs.member(1, List.of(7001, 7002, 7003)))
                .contains("port: 7002", "member: m1", "members: [\"127.0.0.1:7001\", \"127.0.0.1:7002\",");
        assertThat(GrowthConfigs.member(0, List.of(7001)))
                .contains("member: m0")
                .doesNotContain("members:");
    }

    @Test
    void timersOfAllStepsFireAboutEquallyOften() {
        for (long step : Growth.TIMERS.steps()) {
            assertThat(GrowthConfigs.firingsPerSecond(step)).isBetween(80.0, 100.0);
        }
        assertThat(GrowthConfigs.timers(1000, Path.of("lib"), "a.B"))
                .contains("t-00999: {schedule: \"9/10 * * * * *\", class-name: a.B}", "lib-dir: lib");
        assertThat(GrowthConfigs.timers(10_000, Path.of("lib"), "a.B"))
                .contains("\"39 0/2 * * * *\"", "\"0 1/2 * * * *\"");
        assertThat(GrowthConfigs.singletons(2, Path.of("lib"), "a.B"))
                .contains("s-00001: {class-name: a.B}")
                .doesNotContain("s-00002");
        assertThat(GrowthConfigs.processes(8000, 2)).contains("server: {processes: 2}");
    }

    @Test
    void theServicesOfAMemberAreCompiledIntoAJar(@TempDir Path folder) throws Exception {
        Path lib = ServiceJar.into(folder, System.getProperty("java.class.path"));
        try (JarFile jar = new JarFile(lib.resolve("growth.jar").toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .containsExactlyInAnyOrder("growth/Still.class", "growth/Tick.class");
        }
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> ServiceJar.into(folder.resolve("other"), folder.toString()))
                .withMessageContaining("a service cannot be compiled");
    }

    @Test
    void lessThanTheStepSaysIsAnError() throws BenchFailure {
        HttpGrowths.atLeast("open connections", 10_001, 10_000);
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> HttpGrowths.atLeast("open connections", 9_999, 10_000))
                .withMessage("there are 9,999 open connections, not 10,000: something else would be measured");
    }

    @Test
    void whatALoadPrintsIsCountedOrAnError() throws BenchFailure {
        assertThat(Counts.found("the load", "found 12 0.500000 1 0")).isEqualTo(new Counts(12, 0.5, 1, 0));
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> Counts.found("the load", "failed java.io.EOFException"))
                .withMessageContaining("the load says: failed java.io.EOFException");
    }
}
