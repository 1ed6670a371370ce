package io.weir.server.cluster;

import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.server.config.WeirConfig;
import io.weir.wire.client.ClientOptions;
import java.nio.file.Path;

/**
 * How this member connects to the others' weir listeners: with the settings of its own, because members are alike.
 * Stateless.
 */
final class ToMembers {
    private ToMembers() {}

    /** Over TLS if this server's own weir listener uses it, trusting the authorities of {@code cluster.tls}. */
    static ClientOptions options(WeirConfig config) {
        boolean secure = config.listeners().values().stream()
                .filter(l -> l.protocol() == ListenerProtocol.WEIR)
                .findFirst()
                .map(ListenerConfig::secure)
                .orElse(false);
        String trust = config.cluster().tls().trustFile();
        return secure ? ClientOptions.DEFAULT.withTls(trust == null ? null : Path.of(trust)) : ClientOptions.DEFAULT;
    }
}
