package io.weir.jms.client.producer;

import io.weir.base.Clock;
import io.weir.jms.client.delivery.SessionLink;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;

/** What the producers of a session share. Immutable; its parts say who uses them. */
public record ProducerParts(
        SessionLink session,
        AckMode mode,
        ClientKnobs knobs,
        Clock clock,
        MessageIds ids,
        AsyncSends asyncSends,
        Transaction transaction,
        Slots<ClientProducer> producers) {}
