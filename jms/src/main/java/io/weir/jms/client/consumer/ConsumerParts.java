package io.weir.jms.client.consumer;

import io.weir.base.Clock;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.listener.Dispatch;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;

/** What the consumers of a session share. Immutable; its parts say who uses them. */
public record ConsumerParts(
        SessionLife session,
        AckMode mode,
        ClientKnobs knobs,
        Clock clock,
        ReceivingThread receiver,
        Dispatch dispatch,
        ListenerDelivery listening,
        PrefetchRules prefetch,
        Transaction transaction,
        Slots<ClientConsumer> consumers) {
    /** Whether the current thread is the one that listens or receives. */
    boolean isUsedHere() {
        return dispatch.isCurrent() || receiver.isCurrent();
    }
}
