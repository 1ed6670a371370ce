package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.server.users.QuickRealm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server runs with and an operator should look at. */
@Tag("slow")
class WarningsTest {
    @TempDir
    private Path home = Path.of("");

    private List<String> warnings(String text) throws IOException {
        Path file = Files.writeString(home.resolve("weir.yaml"), text);
        LoadedConfig loaded = new ConfigLoader(file, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        return Warnings.of(loaded, home.resolve("data")).stream()
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
                .contains("it is not UTF-8 text");
    }

    @Test
    void anErrorDestinationThatIsNotThereIsNamed() throws IOException {
        String queue =
                "listeners: {http: {port: 0}, m: {port: 0, protocol: weir}}\nmessaging: {queues: {orders: {delivery-failure: {error-destination: %s}}, dead: {}}}\n";
        assertThat(warnings(queue.formatted("queue/deda")))
                .singleElement()
                .asString()
                .contains(
                        "messaging.queues.orders.delivery-failure.error-destination: there is no destination \"queue/deda\"",
                        "did you mean \"queue/dead\"?");
        assertThat(warnings(queue.formatted("queue/dead"))).isEmpty();
        assertThat(warnings(queue.formatted("queue/orders")))
                .singleElement()
                .asString()
                .contains("error-destination: is the destination itself");
        assertThat(warnings("listeners: {http: {port: 0}}\nmessaging: {queues: {orders: {}}}\n"))
                .singleElement()
                .asString()
                .contains("messaging: there are destinations, and no listener for messaging");
    }

    /** What is said of these routes. Who listens on the port now, on the machine of the test, is not of interest. */
    private List<String> routes(String routes) throws IOException {
        return warnings("listeners: {http: {port: 18080}}\nproxy:\n  routes:\n    - " + routes + "\n").stream()
                .filter(w -> !w.contains("another process listens on 18080 now"))
                .toList();
    }

    private static void only(List<String> warnings, String what) {
        assertThat(warnings).singleElement().asString().contains(what);
    }

    @Test
    void usersThatAreNotThereAreNamed() throws IOException {
        String route = "{path: /, auth: {basic: on, users: [anna], groups: [ops]}, respond: {status: 200}}";
        assertThat(routes(route))
                .hasSize(2)
                .anyMatch(w -> w.contains("proxy.routes[0].auth.users: there is no user \"anna\" here"))
                .anyMatch(w -> w.contains("proxy.routes[0].auth.groups: there is no group \"ops\" here"));
        QuickRealm.of(Files.createDirectories(home.resolve("data"))).set("anna", "x".toCharArray(), List.of("ops"));
        assertThat(routes(route)).isEmpty();
        only(routes(route.replace("anna", "ana")), "did you mean \"anna\"? Add it with ./weir passwd NAME");
    }

    @Test
    void certificatesThatNobodyIsAskedForAreNamed() throws IOException {
        only(
                routes("{path: /, auth: {certificate: subject}, respond: {status: 200}}"),
                "proxy.routes[0].auth.certificate: no listener requests certificates of clients");
    }

    @Test
    void originsThatAreThereTwiceOrThisServerAreNamed() throws IOException {
        only(routes("{path: /, origins: ['http://10.0.0.1', 'http://10.0.0.1:80']}"), "is listed twice");
        only(routes("{path: /, origins: ['http://localhost:18080']}"), "is listeners.http of this server");
        only(
                routes("{path: /, pool: a}\n  origins: {a: {servers: [{url: 'http://127.0.0.1:18080'}]}}"),
                "origins.a.servers");
        assertThat(routes("{path: /, origins: ['http://10.0.0.1', 'http://10.0.0.1:81', 'http://127.0.0.1:18081']}"))
                .isEmpty();
    }

    @Test
    void aBodyWhereThereIsNoneIsNamed() throws IOException {
        only(routes("{path: /, respond: {status: 204, body: nothing}}"), "has no body: this one is not sent");
        assertThat(routes("{path: /, respond: {status: 204}}")).isEmpty();
    }

    @Test
    void whatOthersReachAndWhatAllWriteIsNamed() throws IOException {
        only(
                warnings("listeners: {http: {port: 0}}\nadmin: {address: 0.0.0.0, port: 0}\n"),
                "admin.address: 0.0.0.0 is reached from other machines");
        String log = """
                listeners: {http: {port: 0}}
                server: {processes: %s}
                proxy: {access-log: {format: common, file: %s}}
                """;
        Path file = home.resolve("access");
        only(warnings(log.formatted(2, file)), "proxy.access-log.file: all 2 processes write this one file");
        assertThat(warnings(log.formatted(1, file))).isEmpty();
        assertThat(warnings(log.formatted(2, "logs/access"))).isEmpty();
    }

    @Test
    void aCacheLargerThanTheMachinesMemoryIsNamed() throws IOException {
        only(
                warnings("listeners: {http: {port: 0}}\ncache: {memory-budget: 900GiB}\n"),
                "cache.memory-budget: is 900GiB, more than the ");
    }

    @Test
    void methodsThatNobodySendsAreNamed() throws IOException {
        only(routes("{path: /, methods: [get], respond: {status: 200}}"), "did you mean \"GET\"?");
        only(routes("{path: /, methods: [GTE, PUT], respond: {status: 200}}"), "did you mean \"GET\"?");
        assertThat(routes("{path: /, methods: [GET, PROPFIND, PURGE, FROBNICATE], respond: {status: 200}}"))
                .isEmpty();
    }

    @Test
    void whatAPersistedChangeCoversIsNamed() throws IOException {
        Path overrides = Files.createDirectories(home.resolve("data")).resolve("overrides.yaml");
        Files.writeString(overrides, "kernel: {drain-time-out: 10s, mode: low-latency}\n");
        String file = "listeners: {http: {port: 0}}\nserver: {data-dir: \"%s\"}\nkernel: {drain-time-out: %s}\n";
        only(
                warnings(file.formatted(home.resolve("data"), "44x")),
                "weir.yaml:3:26: kernel.drain-time-out: expected a duration");
        assertThat(warnings(file.formatted(home.resolve("data"), "44s"))).isEmpty();
    }
}
