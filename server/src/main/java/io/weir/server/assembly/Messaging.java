package io.weir.server.assembly;

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
public final class Messaging implements AutoCloseable {
    private final Broker broker;

    private Messaging(Broker broker) {
        this.broker = broker;
    }

    /** Whether any listener has the protocol weir. */
    public static boolean wanted(WeirConfig config) {
        return config.listeners().values().stream().anyMatch(l -> l.protocol() == ListenerProtocol.WEIR);
    }

    /**
     * Starts the broker; the journal's content is recovered when this returns.
     *
     * @param journal where persistent messages are stored; null if none are
     * @throws IOException when the store of persistent messages cannot be opened
     */
    public static Messaging start(
            Kernel kernel, Live<WeirConfig> live, @Nullable Disk journal, Clock clock, Stats stats, Log log)
            throws IOException {
        Live<MessagingConfig> config = live.part(WeirConfig::messaging);
        return new Messaging(new Broker(new BrokerParts(kernel.muxers(), config, journal, clock, stats, log)));
    }

    /** Its frames and names on the wire. */
    public WireListening.Service service() {
        return new WireListening.Service(broker.route(), broker.directory());
    }

    public Broker broker() {
        return broker;
    }

    /** Called after the listeners are closed: closes the journal. */
    @Override
    public void close() {
        broker.close();
    }
}
