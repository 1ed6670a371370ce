package io.weir.jms.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
    private static final byte[] BODY = {1, 2, 3};

    private static ByteBuf copy(ByteBuf block, Map<String, Object> properties) {
        return Provenance.copy(block, new MessageView().wrap(block), properties);
    }

    @Test
    void theOthersStayAndTheseAreAsTheyAreSaid() {
        Map<String, @Nullable Object> before = new LinkedHashMap<>(MessageViewTest.everyKind());
        before.put(Provenance.REASON, "a longer one that was there before");
        before.put("JMS_WEIR_UNKNOWN", 5);
        before.put("JMS_WEIR", "no name of these");
        ByteBuf block = Blocks.of(MessageViewTest.fullHead(), before, BODY);
        // as blocks lie within what was read
        ByteBuf within = block.alloc().buffer().writeZero(7).writeBytes(block);
        within.skipBytes(7);
        ByteBuf copy = copy(within, Map.of(Provenance.REASON, "moved", Provenance.TIME, 7L));
        Map<String, @Nullable Object> after = new LinkedHashMap<>(MessageViewTest.everyKind());
        after.put("JMS_WEIR", "no name of these");
        after.put(Provenance.REASON, "moved");
        after.put(Provenance.TIME, 7L);
        MessageView view = new MessageView().wrap(copy).check();
        assertThat(view.hasProvenance()).isTrue();
        after.forEach((name, value) -> assertThat(view.property(name)).as(name).isEqualTo(value));
        assertThat(view.property("JMS_WEIR_UNKNOWN")).isNull();
        assertThat(view.find(MessageView.name("none"))).isPositive();
        ByteBuf same = Blocks.of(MessageViewTest.fullHead(), after, BODY);
        assertThat(copy.readableBytes()).isEqualTo(same.readableBytes());
        assertThat(copy.capacity()).as("no room that is not needed").isEqualTo(copy.readableBytes());
        assertThat(copy.slice(0, view.propertiesAt())).isEqualTo(same.slice(0, view.propertiesAt()));
        assertThat(copy.slice(view.bodyAt(), BODY.length)).isEqualTo(same.slice(view.bodyAt(), BODY.length));
        copy.release();
        within.release();
    }

    @Test
    void aMessageWithoutPropertiesGetsThem() {
        ByteBuf copy = copy(Blocks.of(new MessageHeader(), Map.of(), BODY), Map.of(Provenance.ORIGIN, "queue/größe"));
        MessageView view = new MessageView().wrap(copy).check();
        assertThat(view.property(Provenance.ORIGIN)).isEqualTo("queue/größe");
        assertThat(view.bodyLength()).isEqualTo(BODY.length);
        copy.release();
    }

    @Test
    void takenAwayTheBlockIsAsItWas() {
        ByteBuf plain = Blocks.of(MessageViewTest.fullHead(), MessageViewTest.everyKind(), BODY);
        ByteBuf moved = copy(plain, Map.of(Provenance.ORIGIN, "queue/q", Provenance.DELIVERY_COUNT, 3));
        ByteBuf back = copy(moved, Map.of());
        assertThat(back).isEqualTo(plain);
        assertThat(new MessageView().wrap(back).check().hasProvenance()).isFalse();
        ByteBuf bare = Blocks.of(new MessageHeader(), Map.of(), BODY);
        ByteBuf movedBare = copy(bare, Map.of(Provenance.TIME, 1L));
        ByteBuf backBare = copy(movedBare, Map.of());
        assertThat(backBare).isEqualTo(bare);
        moved.release();
        back.release();
        movedBare.release();
        backBare.release();
    }
}
