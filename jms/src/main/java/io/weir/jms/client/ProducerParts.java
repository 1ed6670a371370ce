package io.weir.jms.client;

import io.weir.base.Clock;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;

/** What the producers of a session share. Immutable; its parts say who uses them. */
record ProducerParts(
        SessionLink session,
        AckMode mode,
        ClientKnobs knobs,
        Clock clock,
        MessageIds ids,
        AsyncSends asyncSends,
        Dispatch dispatch,
        Transaction transaction,
        Slots<ClientProducer> producers) {}
