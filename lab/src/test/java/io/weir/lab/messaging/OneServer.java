package io.weir.lab.messaging;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server for all tests of a class; what a test left in the queues is taken away after it. */
final class OneServer implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final String[] settings;
    private Path home = Path.of("");
    private @Nullable MessagingServer server;

    /** With settings as --set has them. */
    OneServer(String... settings) {
        this.settings = settings;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        home = Files.createTempDirectory("weir-messaging");
        server = MessagingServer.start(home, settings);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try (JMSContext c = factory().createContext()) {
            for (String queue : List.of("q", "r")) {
                try (JMSConsumer left = c.createConsumer(c.createQueue(queue))) {
                    while (left.receiveNoWait() != null) {
                        // the next
                    }
                }
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        get().close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    MessagingServer get() {
        return Objects.requireNonNull(server, "not started");
    }

    /** A connection factory of this server; options as name=value. */
    WeirConnectionFactory factory(String... options) {
        return get().factory(options);
    }
}
