package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.base.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Sun servers' files below a {@code weir.yaml}, in a running server. */
final class SunLayerTest extends KnobFixture {
    private Path magnus = Path.of("magnus.conf");
    private int first;

    @BeforeEach
    void files() throws IOException {
        magnus = home.resolve("magnus.conf");
        Path objects = home.resolve("obj.conf");
        Files.writeString(objects, """
                Init fn=thread-pool-init name=mine maxthreads=4
                <Object name="default">
                Service fn="send-answer" body="here"
                </Object>
                """);
        Files.writeString(magnus, "KeepAliveTimeout 9\nDNS off\n");
        Files.writeString(
                home.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\nproxy:\n  objects: " + objects + "\n");
        service = service();
        first = service.current();
    }

    private Duration keepAlive() {
        return service.live().get().kernel().keepAlive().timeout();
    }

    @Test
    void aReloadReadsThemAgain() throws IOException {
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(9));
        Files.writeString(magnus, "KeepAliveTimeout 10\n");
        assertThat(service.reload("t").outcome().changed()).containsExactly("kernel.keep-alive.timeout");
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(10));
        Files.delete(magnus);
        assertThat(service.reload("t").outcome().changed()).containsExactly("kernel.keep-alive.timeout");
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void brokenOnesChangeNothing() throws IOException {
        Files.writeString(magnus, "KeepAliveTimeout 10\nKeepAliveTimeou 11\n");
        Files.writeString(home.resolve("server.xml"), "<SERVER>\n<LS");
        assertThat(service.reload("t").outcome().problems())
                .extracting(ConfigProblem::toString)
                .contains(magnus + ":2:1: unknown directive \"KeepAliveTimeou\"; did you mean \"KeepAliveTimeout\"?")
                .anyMatch(p -> p.startsWith(home.resolve("server.xml") + ":2:"));
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void persistedChangesGoOverThemAndCanBeDropped() throws IOException {
        service.patch(changes("kernel.keep-alive.timeout", "20s"), "t", true);
        assertThat(service.reload("t").outcome().problems()).isEmpty();
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(20));
        service.drop("kernel.keep-alive.timeout", "t");
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void rollBackRunsTheValuesOfThen() throws IOException {
        Files.writeString(magnus, "KeepAliveTimeout 10\n");
        service.reload("t");
        assertThat(service.rollback(first, "t").problems()).isEmpty();
        assertThat(keepAlive()).isEqualTo(Duration.ofSeconds(9));
        assertThat(service.reload("t").outcome().problems()).isEmpty();
        assertThat(keepAlive())
                .as("as any persisted change, until it is dropped")
                .isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void otherProcessesGetTheValuesWithTheirPlaces() throws IOException {
        Path handed = Files.writeString(home.resolve("in-force.yaml"), service.text());
        Files.writeString(magnus, "KeepAliveTimeout 77\nNonsense\n");
        LoadedConfig other = new ConfigLoader(handed, List.of(), home).load();
        assertThat(other.problems()).isEmpty();
        assertThat(other.notes()).isEmpty();
        assertThat(other.value().kernel().keepAlive().timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(Objects.requireNonNull(other.value().workManagers().get("mine"))
                        .maxThreads())
                .isEqualTo(4);
        assertThat(InForceText.read(handed, new ArrayList<>())
                        .nearestPlace("kernel.keep-alive.timeout")
                        .toString())
                .isEqualTo(Printable.word(magnus + ":1:18"));
    }

    @Test
    void notesNameThePlace() {
        assertThat(load().notes())
                .extracting(ConfigProblem::toString)
                .containsExactly(magnus + ":2:5: DNS has no effect: clients' addresses are not resolved to names");
    }
}
