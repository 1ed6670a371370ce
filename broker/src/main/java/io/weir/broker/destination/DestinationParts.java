package io.weir.broker.destination;

import io.weir.base.Stats;
import io.weir.broker.queue.QueueServices;
import io.weir.broker.quota.Quotas;

/** The dependencies of a destination apart from its settings; shared by all destinations of a broker. Immutable. */
public record DestinationParts(QueueServices services, Quotas quotas, Stats stats) {}
