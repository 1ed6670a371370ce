package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.MessageView;
import jakarta.jms.DeliveryMode;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Sends messages through their blocks, without a broker. */
final class Delivered implements MessageOwner {
    static final WeirQueue QUEUE = new WeirQueue("q");
    final AtomicReference<WeirMessage> acknowledged = new AtomicReference<>();
    ObjectRules rules = ObjectRules.NOTHING;

    static Delivered allowing(String... classes) {
        Delivered d = new Delivered();
        d.rules = ObjectRules.allowing(List.of(classes));
        return d;
    }

    static void stamp(WeirMessage message) {
        message.stamp(QUEUE, DeliveryMode.NON_PERSISTENT, 7, 0xfL, 3, 1000, 2000, 1500);
    }

    static ByteBuf block(WeirMessage message) {
        ByteBuf block = Unpooled.buffer();
        message.encode(block);
        return block;
    }

    /** What a consumer gets of the message: the block is destroyed afterwards, as a released one would be. */
    @SuppressWarnings("unchecked") // a message arrives as what it was sent
    <M extends WeirMessage> M deliver(M message) {
        stamp(message);
        ByteBuf block = block(message);
        WeirMessage received =
                WeirMessage.received(new MessageView().wrap(block).check(), QUEUE, false, 1, 9, this);
        block.setZero(0, block.capacity());
        return (M) received;
    }

    @Override
    public void acknowledge(WeirMessage message) {
        acknowledged.set(message);
    }

    @Override
    public ObjectRules objectRules() {
        return rules;
    }
}
