package io.weir.lab.jmsload;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Starts the peer's broker inside this process from a {@code broker.xml}, the first argument, as its own launcher does. By
 * reflection: its libraries are in a folder of the benchmark and nowhere else. Ends with the process.
 */
public final class ArtemisBroker {
    private static final String EMBEDDED = "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ";

    private ArtemisBroker() {}

    public static void main(String[] words) throws Exception {
        Class<?> type = Class.forName(EMBEDDED);
        Object broker = type.getConstructor().newInstance();
        type.getMethod("setConfigResourcePath", String.class)
                .invoke(broker, Path.of(words[0]).toUri().toString());
        type.getMethod("start").invoke(broker);
        new CountDownLatch(1).await();
    }
}
