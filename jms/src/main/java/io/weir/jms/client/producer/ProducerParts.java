package io.weir.jms.client.producer;

import io.weir.base.Clock;
import io.weir.jms.client.delivery.SessionLink;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;

/** The state that the producers of a session share. Immutable; the classes of its components document their threads. */
public record ProducerParts(
        SessionLink session,
        AckMode mode,
        ClientKnobs knobs,
        Clock clock,
        MessageIds ids,
        AsyncSends asyncSends,
        Transaction transaction,
        Slots<ClientProducer> producers) {}
