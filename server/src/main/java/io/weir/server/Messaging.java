package io.weir.server;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.Broker;
import io.weir.broker.BrokerParts;
import io.weir.broker.config.MessagingConfig;
import io.weir.journal.disk.Disk;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The broker as the assembly opens and closes it. Lives as long as the server. */
final class Messaging implements AutoCloseable {
    /** Folder of the persistent messages in the data directory. */
    static final String FOLDER = "messaging";

    private final Broker broker;

    private Messaging(Broker broker) {
        this.broker = broker;
    }

    /** Whether any listener speaks it. */
    static boolean wanted(WeirConfig config) {
        return config.listeners().values().stream().anyMatch(l -> l.protocol() == ListenerProtocol.WEIR);
    }

    /**
     * Starts it; what the journal holds is recovered when this returns.
     *
     * @param journal where persistent messages are; null where none are kept
     * @throws IOException when the store of persistent messages cannot be opened
     */
    static Messaging start(
            Kernel kernel, Live<WeirConfig> live, @Nullable Disk journal, Clock clock, Stats stats, Log log)
            throws IOException {
        Live<MessagingConfig> config = live.part(WeirConfig::messaging);
        return new Messaging(new Broker(new BrokerParts(kernel.muxers(), config, journal, clock, stats, log)));
    }

    /** What it says and names on the wire. */
    WireListening.Service service() {
        return new WireListening.Service(broker.route(), broker.directory());
    }

    Broker broker() {
        return broker;
    }

    /** After the listeners: the journal is closed. */
    @Override
    public void close() {
        broker.close();
    }
}
