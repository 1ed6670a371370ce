package io.weir.jms.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageViewTest {
    static MessageHeader fullHead() {
        MessageHeader head = new MessageHeader();
        head.bodyType = BlockFormat.BYTES;
        head.priority = 7;
        head.hasId = true;
        head.idConnection = 0xabcdefL;
        head.idSequence = 42;
        head.hasTimestamp = true;
        head.timestamp = 1_000;
        head.expiration = 2_000;
        head.deliveryTime = 1_500;
        head.correlation = "größer";
        head.replyTo = new DestinationName(DestinationKind.TEMPORARY_QUEUE, "t1");
        head.type = "quote";
        return head;
    }

    static Map<String, @Nullable Object> everyKind() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("none", null);
        all.put("yes", true);
        all.put("byte", (byte) -1);
        all.put("short", (short) -2);
        all.put("int", -3);
        all.put("long", -4L);
        all.put("float", 1.5f);
        all.put("double", 2.5);
        all.put("text", "blau€");
        all.put("JMSXGroupID", "g");
        return all;
    }

    @Test
    void aFullBlockIsReadInPlace() {
        ByteBuf block = Blocks.of(fullHead(), everyKind(), new byte[] {1, 2, 3});
        MessageView view = new MessageView().wrap(block).check();
        assertThat(view.bodyType()).isEqualTo(BlockFormat.BYTES);
        assertThat(view.priority()).isEqualTo(7);
        assertThat(view.persistent()).isTrue();
        assertThat(view.messageId()).isEqualTo("ID:weir-abcdef-42");
        assertThat(view.timestamp()).isEqualTo(1_000);
        assertThat(view.expiration()).isEqualTo(2_000);
        assertThat(view.deliveryTime()).isEqualTo(1_500);
        assertThat(view.correlation()).isEqualTo("größer");
        assertThat(view.replyTo()).isEqualTo(new DestinationName(DestinationKind.TEMPORARY_QUEUE, "t1"));
        assertThat(view.type()).isEqualTo("quote");
        view.findOrder();
        assertThat(view.group()).isEqualTo("g");
        assertThat(view.unitOfOrder()).isNull();
        everyKind()
                .forEach((name, value) ->
                        assertThat(view.property(name)).as(name).isEqualTo(value));
        assertThat(view.property("tex")).isNull();
        assertThat(view.find(MessageView.name("none"))).isPositive();
        assertThat(view.bodyLength()).isEqualTo(3);
        assertThat(block.getByte(view.bodyAt())).isEqualTo((byte) 1);
        assertThat(block.readerIndex()).isZero();
    }

    @Test
    void anEmptyBlockHasNothingOptional() {
        MessageView view = new MessageView()
                .wrap(Blocks.of(new MessageHeader(), Map.of(), new byte[0]))
                .check();
        assertThat(view.messageId()).isNull();
        assertThat(view.correlation()).isNull();
        assertThat(view.correlationBytes()).isNull();
        assertThat(view.replyTo()).isNull();
        assertThat(view.type()).isNull();
        assertThat(view.property("any")).isNull();
        assertThat(view.bodyLength()).isZero();
    }
}
