package io.weir.wire.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wire.Awaited;
import io.weir.wire.Configs;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireConnection;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.Principal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Both ends of naming. */
final class NamingTest {
    private static final TreeMap<String, NamingEntry> NAMES = new TreeMap<>(Map.of(
            "jms/demo", new NamingEntry("queue", "jms/demo", Map.of("destination", "demo")),
            "jms/news", new NamingEntry("topic", "jms/news", Map.of("destination", "news", "empty", "")),
            "other", new NamingEntry("connection-factory", "other", Map.of())));

    private static final NamingDirectory DIRECTORY = new NamingDirectory() {
        @Override
        public @Nullable NamingEntry lookup(String name, Principal user) {
            return user.user().equals("guest") ? NAMES.get(name) : null;
        }

        @Override
        public List<NamingEntry> list(String prefix, Principal user) {
            return NAMES.values().stream()
                    .filter(e -> e.name().startsWith(prefix))
                    .toList();
        }
    };

    @Test
    void namesAreLookedUpAndListed() {
        try (TestServer server = new TestServer(Configs.config(), TestServer.ANNA, DIRECTORY, Recorder::new, null);
                WireClient client = WireClient.open()) {
            CompletableFuture<Naming> made = new CompletableFuture<>();
            WireConnection connection = client.connect(
                            server.addresses(), Credentials.NONE, ClientOptions.DEFAULT, c -> {
                                Naming n = new Naming(c);
                                made.complete(n);
                                return n;
                            })
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join();
            Naming naming = made.join();
            assertThat(within(naming.lookup("jms/news"))).isEqualTo(NAMES.get("jms/news"));
            assertThat(within(naming.lookup("jms/none"))).isNull();
            assertThat(within(naming.list("jms/"))).containsExactly(NAMES.get("jms/demo"), NAMES.get("jms/news"));
            connection.close();
            Awaited.until(() -> server.server.connections() == 0);
            assertThat(naming.lookup("jms/demo")
                            .handle((_, f) -> f)
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join())
                    .isNotNull();
        }
    }

    private static <T extends @Nullable Object> T within(CompletableFuture<T> answer) {
        return answer.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
