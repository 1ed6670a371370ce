package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.broker.config.DestinationConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of destinations may have dots; in keys such a name is quoted. */
final class DottedNamesTest extends KnobFixture {
    private static final String LISTENERS = "listeners:\n  http: {port: 0}\n  jms: {port: 0, protocol: weir}\n";
    private static final String SIZE = "messaging.queues.\"orders.in\".maximum-message-size";

    private void file(String more) throws IOException {
        Files.writeString(home.resolve("weir.yaml"), LISTENERS + more);
        service = service();
    }

    private String size() {
        return service.knobs().stream()
                .filter(v -> v.item().key().equals(SIZE))
                .map(v -> v.item().text())
                .findFirst()
                .orElse("");
    }

    @Test
    void aQueueOfTheFileHasDots() throws IOException {
        file("messaging: {queues: {orders.in: {maximum-message-size: 5120}, DEV.QUEUE.1: {}}}\n");
        assertThat(service.live().get().messaging().queues()).containsOnlyKeys("orders.in", "DEV.QUEUE.1");
        assertThat(size()).isEqualTo("5120");
    }

    @Test
    void problemsNameTheQuotedKey() throws IOException {
        file("messaging:\n  queues:\n    orders.in: {quota: none, maximum-mesage-size: 1}\n");
        assertThat(load().problems())
                .extracting(ConfigProblem::key)
                .containsExactlyInAnyOrder(
                        "messaging.queues.\"orders.in\".quota", "messaging.queues.\"orders.in\".maximum-mesage-size");
        assertThat(load().problems()).allSatisfy(p -> assertThat(p.at().line()).isEqualTo(6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders..in", ".orders", "orders.", "-orders", "orders in", "orders/in", "\"or\\\"ders\""})
    void otherNamesAreRefused(String name) throws IOException {
        file("messaging: {queues: {" + name + ": {}}}\n");
        assertThat(load().problems())
                .hasSize(1)
                .allSatisfy(p -> assertThat(p.what()).startsWith("a name has 1 to 255 letters"));
    }

    @Test
    void aNameHasUpTo255Characters() throws IOException {
        file("messaging: {queues: {" + "a.".repeat(127) + "a: {}}}\n");
        assertThat(load().problems()).isEmpty();
        file("messaging: {queues: {" + "a.".repeat(127) + "aa: {}}}\n");
        assertThat(load().problems()).hasSize(1);
    }

    /** They become parts of file names, and of keys that others write without quotes. */
    @Test
    void namesOfOtherThingsHaveNone() throws IOException {
        Files.writeString(home.resolve("weir.yaml"), "listeners:\n  ht.tp: {port: 0}\n");
        assertThat(load().problems()).anySatisfy(p -> assertThat(p.what()).startsWith("a name has 1 to 64 letters"));
    }

    @Test
    void theCommandLineQuotesTheName() throws IOException {
        file("messaging: {queues: {orders.in: {maximum-message-size: 5120}}}\n");
        LoadedConfig loaded = load(SIZE + "=6144", "messaging.queues.\"DEV.QUEUE.1\"={}");
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().messaging().queues()).containsOnlyKeys("orders.in", "DEV.QUEUE.1");
        assertThat(loaded.value().messaging().queues().values())
                .extracting(DestinationConfig::maximumMessageSize)
                .containsExactly(6144, Integer.MAX_VALUE);
    }

    @Test
    void aLiveChangeIsKeptAndDropped() throws IOException {
        file("messaging: {queues: {orders.in: {maximum-message-size: 5120}}}\n");
        assertThat(service.patch(changes(SIZE, "7168"), "t", true).changed()).containsExactly(SIZE);
        service = service();
        assertThat(size()).isEqualTo("7168");
        assertThat(Overrides.drop(load(), data, SIZE)).containsExactly(SIZE);
        service = service();
        assertThat(size()).isEqualTo("5120");
    }

    @Test
    void aQueueComesLiveWithItsName() throws IOException {
        file("");
        KnobService.Outcome outcome = service.patch(changes("messaging.queues.\"a.b\"", "{}"), "t", true);
        assertThat(outcome.problems()).isEmpty();
        assertThat(service.live().get().messaging().queues()).containsKey("a.b");
        service = service();
        assertThat(service.live().get().messaging().queues()).containsOnlyKeys("a.b");
    }

    @Test
    void whoForgetsTheQuotesIsTold() throws IOException {
        file("messaging: {queues: {orders.in: {}}}\n");
        assertThat(service.patch(changes("messaging.queues.orders.in.quota", "x"), "t", false)
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what())
                        .endsWith("A name with dots is quoted, as in messaging.queues.\"orders.in\".quota"));
        assertThat(service.patch(changes("kernel.orders.in.quota", "x"), "t", false)
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what()).doesNotContain("quoted"));
    }

    @Test
    void aKeyOfAnUnknownQueueNamesIt() throws IOException {
        file("");
        assertThat(service.patch(changes(SIZE, "7168"), "t", false).problems())
                .singleElement()
                .satisfies(p -> assertThat(p.what()).contains("there is no \"orders.in\""));
        assertThat(Map.copyOf(service.live().get().messaging().queues())).isEmpty();
    }
}
