package io.weir.broker.queue;

import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.report.BrokerCounters;

/**
 * The services that all queues of a broker share. Immutable; lives as long as the broker.
 *
 * @param config the configuration in force, read at each use
 */
public record QueueServices(
        EntryStore store, Mover mover, BrokerCounters meters, Log log, Live<MessagingConfig> config) {}
