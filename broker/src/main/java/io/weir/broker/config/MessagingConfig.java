package io.weir.broker.config;

import io.weir.base.EntryNames;
import io.weir.base.Knob;
import io.weir.journal.settings.JournalConfig;
import io.weir.wire.server.WireConfig;
import java.util.Map;

/** The section {@code messaging}: destinations, connection factories, quotas and limits. Immutable; swapped whole. */
public record MessagingConfig(
        @Knob(doc = "Settings that apply to all destinations.")
        JmsServerConfig jmsServer,

        @Knob(
                doc =
                        "Connection factories by name; default exists always. They can be added, removed and changed live.",
                dynamic = true)
        Map<String, ConnectionFactoryConfig> connectionFactories,

        @Knob(
                doc = "Queues by name, such as orders.in. They can be added, removed and changed live"
                        + " (docs/messaging.md).",
                dynamic = true,
                names = EntryNames.DOTTED)
        Map<String, DestinationConfig> queues,

        @Knob(
                doc = "Topics by name, such as prices.eu. They can be added, removed and changed live"
                        + " (docs/messaging.md).",
                dynamic = true,
                names = EntryNames.DOTTED)
        Map<String, DestinationConfig> topics,

        @Knob(
                doc = "Quotas by name, for destinations to refer to. They can be added, removed and changed live.",
                dynamic = true)
        Map<String, QuotaConfig> quotas,

        @Knob(doc = "Bounds on what connections may make the broker hold.")
        BrokerLimitsConfig limits,

        @Knob(doc = "How persistent messages are written.") JournalConfig journal,

        @Knob(doc = "Limits of the clients' connections.") WireConfig wire) {}
