package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.broker.destination.Destination;
import io.weir.broker.queue.Message;
import io.weir.broker.quota.Quota;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.session.BrokerEngine;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirTextMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Sends messages of the server itself, without a connection, such as those of timers. Quotas and pauses apply as to any
 * producer; access is not checked. Shared; from any thread.
 */
public final class ServerSender {
    private final BrokerEngine engine;
    /** Negative, which the number of a connection never is. */
    private final long origin;

    private final AtomicLong sequence = new AtomicLong();

    ServerSender(BrokerEngine engine) {
        this.engine = engine;
        this.origin = engine.clock().millis() << 20 | Long.MIN_VALUE;
    }

    /**
     * Sends a text message, persistent if the broker has a store.
     *
     * @param destination {@code queue/name} or {@code topic/name}
     * @param properties strings and integers by JMS property name
     * @param permitted checked on the destination's loop, immediately before the append to the journal: a sender under
     * a lease may have lost it since
     * @return completes when the destination has accepted the message (a persistent one: when it is durable); fails
     * with a {@link RequestRefusal}; is cancelled if it was not permitted
     */
    public CompletableFuture<Void> send(
            String destination, String text, Map<String, ?> properties, BooleanSupplier permitted) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        Destination d = engine.destinations().byText(destination);
        if (d == null) {
            sent.completeExceptionally(
                    new RequestRefusal(RefusalCode.INVALID_DESTINATION, "there is no destination " + destination));
            return sent;
        }
        try {
            Message m = message(d, text, properties);
            d.loop.run(() -> append(d, m, permitted, sent));
        } catch (RequestRefusal | JMSException e) {
            sent.completeExceptionally(e);
        }
        return sent;
    }

    private static void append(Destination d, Message m, BooleanSupplier permitted, CompletableFuture<Void> sent) {
        if (!permitted.getAsBoolean()) {
            m.discard();
            sent.cancel(false);
            return;
        }
        d.acceptUnlessDeleted(m, failure -> {
            if (failure == null) {
                sent.complete(null);
            } else {
                sent.completeExceptionally(failure);
            }
        });
    }

    private Message message(Destination d, String text, Map<String, ?> properties) throws RequestRefusal, JMSException {
        WeirTextMessage m = new WeirTextMessage();
        m.setText(text);
        for (Map.Entry<String, ?> p : properties.entrySet()) {
            m.setObjectProperty(p.getKey(), p.getValue());
        }
        long now = engine.clock().millis();
        int mode = engine.store().isOpen() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        m.stamp(
                WeirDestination.of(d.name),
                mode,
                jakarta.jms.Message.DEFAULT_PRIORITY,
                origin,
                sequence.incrementAndGet(),
                now,
                0,
                0);
        ByteBuf block = ByteBufAllocator.DEFAULT.directBuffer(m.encodedBytes());
        boolean kept = false;
        try {
            m.encode(block);
            d.admit(block.readableBytes());
            Quota quota = d.quota();
            int further = d.further();
            if (!quota.reserve(block.readableBytes(), further)) {
                quota.countRefused();
                throw new RequestRefusal(
                        RefusalCode.RESOURCE_ALLOCATION,
                        "no room for " + d.name + " " + quota.full(block.readableBytes(), further));
            }
            Message own = new Message(block, new MessageView().wrap(block), 0);
            own.charged(quota, further);
            kept = true;
            return own;
        } finally {
            if (!kept) {
                block.release();
            }
        }
    }
}
