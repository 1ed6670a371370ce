package io.weir.broker.destination;

import io.weir.base.Stats;
import io.weir.broker.queue.QueueServices;
import io.weir.broker.quota.Quotas;

/** What a destination is made of, beside its own settings; all destinations of a broker have the same. Immutable. */
public record DestinationParts(QueueServices services, Quotas quotas, Stats stats) {}
