package io.weir.jms.client.consumer;

import io.weir.base.Clock;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.listener.Dispatch;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;

/** The state that the consumers of a session share. Immutable; the classes of its components document their threads. */
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
