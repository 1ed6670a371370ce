package io.weir.server;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.Broker;
import io.weir.broker.BrokerParts;
import io.weir.broker.config.MessagingConfig;
import io.weir.kernel.Kernel;
import io.weir.kernel.ListenerProtocol;
import io.weir.kernel.Protocol;
import io.weir.server.config.WeirConfig;
import io.weir.server.users.FileRealm;
import io.weir.server.users.WireRealm;
import io.weir.wire.CheckedLogins;
import io.weir.wire.WireConfig;
import java.io.IOException;
import java.nio.file.Path;

/** The broker and the check of its logins, as the assembly opens and closes them. Lives as long as the server. */
final class Messaging implements AutoCloseable {
    /** Folder of the persistent messages in the data directory. */
    static final String FOLDER = "messaging";

    private final CheckedLogins logins;
    private final Broker broker;

    private Messaging(CheckedLogins logins, Broker broker) {
        this.logins = logins;
        this.broker = broker;
    }

    /** Whether any listener speaks it. */
    static boolean wanted(WeirConfig config) {
        return config.listeners().values().stream().anyMatch(l -> l.protocol() == ListenerProtocol.WEIR);
    }

    /**
     * Starts it; what the journal holds is recovered when this returns.
     *
     * @throws IOException when the store of persistent messages cannot be opened
     */
    static Messaging start(Kernel kernel, Live<WeirConfig> live, Path dataDir, Clock clock, Stats stats, Log log)
            throws IOException {
        Live<MessagingConfig> config = live.part(WeirConfig::messaging);
        Live<WireConfig.LoginConfig> login = config.part(m -> m.wire().logins());
        CheckedLogins logins =
                new CheckedLogins(new WireRealm(new FileRealm(dataDir), login, log), login, stats, log, clock);
        try {
            boolean stored = config.get().jmsServer().storeEnabled();
            Broker broker = new Broker(new BrokerParts(
                    kernel.muxers(), config, logins, stored ? dataDir.resolve(FOLDER) : null, clock, stats, log));
            return new Messaging(logins, broker);
        } catch (IOException | RuntimeException e) {
            logins.close();
            throw e;
        }
    }

    Protocol protocol() {
        return broker.protocol();
    }

    Broker broker() {
        return broker;
    }

    /** After the drain: what is left of connections is cut off, the journal closed. */
    @Override
    public void close() {
        logins.close();
        broker.close();
    }
}
