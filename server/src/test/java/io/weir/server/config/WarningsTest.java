package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server runs with and an operator should look at. */
class WarningsTest {
    @TempDir
    private Path home = Path.of("");

    private List<String> warnings(String text) throws IOException {
        Path file = Files.writeString(home.resolve("weir.yaml"), text);
        LoadedConfig loaded = new ConfigLoader(file, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        return Warnings.of(loaded, home.resolve("data"), Set.of()).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void tlsWithoutCertificatesIsNamedBecauseNoneIsSpoken() throws IOException {
        assertThat(warnings("listeners: {https: {port: 0, tls: {protocols: [TLSv1.3]}}}\n"))
                .singleElement()
                .asString()
                .contains("weir.yaml:1:", "listeners.https.tls: has no certificates", "WITHOUT TLS");
        assertThat(warnings("listeners: {http: {port: 0}}\n")).isEmpty();
        assertThat(warnings("listeners: {http: {port: 0, tls: {}}}\n")).isEmpty();
    }

    @Test
    void aFileOfUsersThatCannotBeReadIsNamedWithTheLine() throws IOException {
        Path data = Files.createDirectories(home.resolve("data"));
        Files.writeString(data.resolve("users"), "# users\nann;secret\n");
        assertThat(warnings("listeners: {http: {port: 0}}\n"))
                .singleElement()
                .asString()
                .contains(
                        "server.data-dir: no user can log in", data.resolve("users") + ":2: expected name:groups:hash");
        Files.write(data.resolve("users"), new byte[] {'J', (byte) 0xfc, '\n'});
        assertThat(warnings("listeners: {http: {port: 0}}\n"))
                .singleElement()
                .asString()
                .contains("it is not text in UTF-8");
    }

    @Test
    void anErrorDestinationThatIsNotThereIsNamed() throws IOException {
        String queue =
                "listeners: {http: {port: 0}}\nmessaging: {queues: {orders: {delivery-failure: {error-destination: %s}}, dead: {}}}\n";
        assertThat(warnings(queue.formatted("queue/deda")))
                .singleElement()
                .asString()
                .contains(
                        "messaging.queues.orders.delivery-failure.error-destination: there is no destination \"queue/deda\"",
                        "did you mean \"queue/dead\"?");
        assertThat(warnings(queue.formatted("queue/dead"))).isEmpty();
    }
}
