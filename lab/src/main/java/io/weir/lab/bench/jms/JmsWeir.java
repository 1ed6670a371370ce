package io.weir.lab.bench.jms;

import java.util.Map;

/** Weir as the messaging benchmark runs it. Stateless. */
final class JmsWeir {
    /** Factories and topics of the case study, one for each row, by their JNDI names. */
    static final String BASE = "Base";

    static final String QUOTAS = "Quotas";
    static final String ONE_WAY = "OneWay";
    static final String PREFETCH = "Prefetch";

    private static final String LISTENER = "messaging: {protocol: weir, address: 127.0.0.1, port: 0";

    private JmsWeir() {}

    /**
     * The same configuration with TLS.
     *
     * @param files of the scenarios' certificate, by name
     */
    static String secure(Map<String, String> files) {
        return config().replace(
                        LISTENER,
                        LISTENER + ", tls: {certificates: [{chain-file: " + files.get("certificate") + ", key-file: "
                                + files.get("key") + "}]}");
    }

    /**
     * As shipped, except for the factory {@code ConnectionFactory}: like the peer's by default, it sends without
     * waiting for an answer, and quotas keep producers from filling the memory.
     */
    static String config() {
        return """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                kernel: {socket-readers: 1}
                messaging:
                  quotas:
                    bench: {messages-maximum: 20000, bytes-maximum: 64MiB}
                  queues:
                    bench-queue: {jndi-name: bench-queue, quota: bench}
                  topics:
                    bench-topic: {jndi-name: bench-topic, quota: bench}
                    plain-topic: {jndi-name: plain-topic}
                    limited-topic: {jndi-name: limited-topic, messages-limit: 10000}
                  connection-factories:
                    shipped: {jndi-name: Base}
                    quotas: {jndi-name: Quotas, delivery: {send-timeout: 10000}}
                    one-way:
                      jndi-name: OneWay
                      delivery: {send-timeout: 10000}
                      flow: {one-way-send-mode: enabled, one-way-send-window-size: 300}
                    prefetch:
                      jndi-name: Prefetch
                      delivery: {send-timeout: 10000}
                      flow: {one-way-send-mode: enabled, one-way-send-window-size: 300}
                      client: {messages-maximum: 300, synchronous-prefetch-mode: enabled}
                    tuned:
                      jndi-name: ConnectionFactory
                      delivery: {send-timeout: 10000}
                      flow: {one-way-send-mode: enabled, one-way-send-window-size: 300}
                      client: {messages-maximum: 300, synchronous-prefetch-mode: enabled}
                """;
    }

    static Map<String, String> environment(int port, boolean secure) {
        return Map.of(
                "java.naming.factory.initial",
                "io.weir.jms.WeirContextFactory",
                "java.naming.provider.url",
                (secure ? "weirs" : "weir") + "://127.0.0.1:" + port);
    }
}
