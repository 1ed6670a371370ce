package io.weir.broker.queue;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.DestinationCounts;
import io.weir.jms.frames.DestinationName;
import org.jspecify.annotations.Nullable;

/**
 * A destination as its queues see it: its name, figures and current settings. The destination writes it, from any
 * thread; its queues read it on their loop. Shared in that sense; lives as long as the destination.
 */
public final class QueueContext {
    public final DestinationName name;
    final BrokerLoop loop;
    final DestinationCounts counts;
    final QueueServices services;
    private volatile DestinationConfig config;
    private volatile boolean consumptionPaused;

    public QueueContext(
            DestinationName name,
            BrokerLoop loop,
            DestinationCounts counts,
            QueueServices services,
            DestinationConfig config) {
        this.name = name;
        this.loop = loop;
        this.counts = counts;
        this.services = services;
        this.config = config;
    }

    public DestinationConfig config() {
        return config;
    }

    public void config(DestinationConfig next) {
        config = next;
    }

    public boolean consumptionPaused() {
        return consumptionPaused;
    }

    public void consumptionPaused(boolean paused) {
        consumptionPaused = paused;
    }

    public EntryStore store() {
        return services.store();
    }

    /** The destination of failed or expired messages; null if there is none. */
    @Nullable
    ErrorDestination errorDestination() {
        return services.mover().errorDestination(this);
    }
}
