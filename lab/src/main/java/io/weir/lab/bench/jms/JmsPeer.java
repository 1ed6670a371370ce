package io.weir.lab.bench.jms;

import io.weir.base.Clock;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.bench.process.Ran;
import io.weir.lab.jmsload.ArtemisBroker;
import io.weir.lab.scenario.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Apache ActiveMQ Artemis, resolved into the benchmark's own folder and run in its own JVM. Stateless. */
final class JmsPeer {
    static final String VERSION = "2.56.0";
    private static final String POM = "artemis.pom.xml";

    private JmsPeer() {}

    /**
     * Resolves its libraries, once.
     *
     * @param home of Weir
     * @return the class path
     */
    static String resolve(Path home) throws IOException, InterruptedException, BenchFailure {
        Path folder = home.resolve("lab/target/bench/artemis-" + VERSION);
        Path done = folder.resolve("resolved");
        Path lib = folder.resolve("lib");
        if (!Files.exists(done)) {
            Files.createDirectories(folder);
            Path pom = folder.resolve("pom.xml");
            try (InputStream text = JmsPeer.class.getResourceAsStream(POM)) {
                if (text == null) {
                    throw new BenchFailure(POM + " is missing in the jar");
                }
                Files.copy(text, pom, StandardCopyOption.REPLACE_EXISTING);
            }
            Ran ran = Ran.of(List.of(
                    "mvn", "-B", "-q", "-f", pom.toString(), "-Dlib=" + lib, "-Dversion=" + VERSION, "package"));
            if (ran.exit() != 0) {
                throw new BenchFailure("Artemis " + VERSION + " cannot be resolved:\n"
                        + ran.printed().strip());
            }
            Files.createFile(done);
        }
        return lib.resolve("*").toString();
    }

    /**
     * Starts its broker.
     *
     * @param tuned whether journal type and buffer time-out are those of its own autotune; else as shipped without it
     * @param forces forced writes a second of the disk, from the pre-flight
     * @param keys for TLS; null: none
     */
    static Child start(
            String classPath,
            boolean tuned,
            double forces,
            @Nullable Certificates keys,
            List<String> prefix,
            Path folder,
            Clock clock)
            throws IOException, InterruptedException, BenchFailure {
        int port = Child.freePort();
        Path config = Files.writeString(
                folder.resolve("broker.xml"),
                config(folder, port, tuned, forces, keys == null ? "" : secured(keys, "keyStore", "pkcs12")));
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(classPath, ArtemisBroker.class.getName(), config.toString()));
        return Child.start("artemis", command, folder, port, clock);
    }

    static Map<String, String> environment(int port, @Nullable Certificates keys) {
        return Map.of(
                "java.naming.factory.initial", "org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory",
                "connectionFactory.ConnectionFactory",
                        "tcp://127.0.0.1:" + port
                                + (keys == null
                                        ? ""
                                        : "?"
                                                + secured(keys, "trustStore", "trust")
                                                        .substring(1)
                                                        .replace(';', '&')),
                "queue.bench-queue", "bench-queue",
                "topic.bench-topic", "bench-topic");
    }

    /**
     * The relevant part of what {@code artemis create} writes: autotune measures forced writes of 4 KiB and uses the
     * time of one as the buffer's time-out, and libaio if it loads; without autotune the journal is NIO with its
     * default.
     */
    static String config(Path folder, int port, boolean tuned, double forces, String tls) {
        String journal = tuned
                ? "<journal-type>ASYNCIO</journal-type><journal-buffer-timeout>"
                        + String.format(Locale.ROOT, "%d", (long) (1e9 / Math.max(1, forces)))
                        + "</journal-buffer-timeout>"
                : "<journal-type>NIO</journal-type>";
        return """
                <configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
                  <name>bench</name>
                  <persistence-enabled>true</persistence-enabled>
                  <security-enabled>false</security-enabled>
                  %s
                  <journal-datasync>true</journal-datasync>
                  <journal-min-files>2</journal-min-files>
                  <journal-pool-files>10</journal-pool-files>
                  <journal-file-size>10M</journal-file-size>
                  <paging-directory>%2$s/paging</paging-directory>
                  <bindings-directory>%2$s/bindings</bindings-directory>
                  <journal-directory>%2$s/journal</journal-directory>
                  <large-messages-directory>%2$s/large</large-messages-directory>
                  <acceptors><acceptor name="artemis">tcp://127.0.0.1:%3$d?tcpSendBufferSize=1048576;tcpReceiveBufferSize=1048576;protocols=CORE%4$s</acceptor></acceptors>
                  <address-settings><address-setting match="#">
                    <max-size-bytes>-1</max-size-bytes><address-full-policy>PAGE</address-full-policy>
                  </address-setting></address-settings>
                  <addresses>
                    <address name="bench-queue"><anycast><queue name="bench-queue"/></anycast></address>
                    <address name="bench-topic"><multicast/></address>
                  </addresses>
                </core></configuration>
                """.formatted(journal, folder.resolve("store"), port, tls);
    }

    /** Parameters of its transport for TLS. */
    private static String secured(Certificates keys, String store, String file) {
        Map<String, String> files = keys.variables();
        return ";sslEnabled=true;" + store + "Path=" + files.get(file) + ";" + store + "Type=PKCS12;" + store
                + "Password=" + files.get("password");
    }
}
