package io.weir.jms.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.wire.WireFault;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block that lies is a WireFault, whatever lies, and allocates nothing by what it claims. */
class BlockFuzzTest {
    private static final byte[] WHOLE = whole();
    /** What reading all of an honest block of this size allocates, many times over. */
    private static final long ALLOCATION_BOUND = 200_000;

    private static byte[] whole() {
        ByteBuf block = Blocks.of(MessageViewTest.fullHead(), MessageViewTest.everyKind(), new byte[] {1, 2, 3});
        byte[] bytes = new byte[block.readableBytes()];
        block.readBytes(bytes);
        return bytes;
    }

    /** Reads whatever can be read. */
    private static void readAll(MessageView view, ByteBuf block) {
        view.wrap(block).check();
        view.readHead(new MessageHeader());
        view.findOrder();
        view.group();
        view.unitOfOrder();
        view.property("missing");
        for (String name : MessageViewTest.everyKind().keySet()) {
            view.property(name);
        }
        view.copyProperties();
        view.copyBody();
    }

    private static boolean honest(MessageView view, byte[] bytes) {
        ByteBuf block = Unpooled.wrappedBuffer(bytes);
        try {
            readAll(view, block);
            return true;
        } catch (WireFault lying) {
            return false;
        } finally {
            assertThat(block.readerIndex()).isZero();
        }
    }

    @Test
    void aBlockCutAnywhereIsAFault() {
        MessageView view = new MessageView();
        for (int n = 0; n < WHOLE.length; n++) {
            ByteBuf cut = Unpooled.wrappedBuffer(WHOLE, 0, n);
            assertThatExceptionOfType(WireFault.class).as("cut to %s", n).isThrownBy(() -> view.wrap(cut));
        }
        assertThat(honest(view, WHOLE)).isTrue();
    }

    @Test
    void everyByteChangedToEveryValueIsReadOrAFault() {
        MessageView view = new MessageView();
        int faults = 0;
        for (int i = 0; i < WHOLE.length; i++) {
            byte[] changed = WHOLE.clone();
            for (int value = 0; value < 256; value++) {
                changed[i] = (byte) value;
                faults += honest(view, changed) ? 0 : 1;
            }
        }
        assertThat(faults).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyBytesAreReadOrAFault(long seed) {
        RandomGenerator chance = Chance.seeded(seed).random();
        MessageView view = new MessageView();
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = chance.nextInt(4) == 0 ? new byte[chance.nextInt(200)] : WHOLE.clone();
            if (bytes.length != WHOLE.length) {
                chance.nextBytes(bytes);
            }
            for (int n = chance.nextInt(6); n >= 0 && bytes.length > 0; n--) {
                bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
            }
            honest(view, bytes);
        }
    }

    @Test
    void lyingLengthsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MessageView view = new MessageView();
        for (int i = 0; i + 4 <= WHOLE.length; i++) {
            for (int length : List.of(0x7fffffff, 0xffffff7f, 0x40000000, -1)) {
                byte[] lying = WHOLE.clone();
                Unpooled.wrappedBuffer(lying).setInt(i, length);
                honest(view, lying);
                long before = threads.getCurrentThreadAllocatedBytes();
                honest(view, lying);
                assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                        .as("%x at %s", length, i)
                        .isLessThan(ALLOCATION_BOUND);
            }
        }
    }

    @Test
    void propertiesThatSayMoreThanTheyAreAreFaults() {
        ByteBuf block = Blocks.of(new MessageHeader(), Map.of("a", 1), new byte[0]);
        int count = BlockFormat.FIXED_BYTES + 4;
        for (int n : new int[] {0, 2, 127}) {
            ByteBuf lying = block.copy().setByte(count, n);
            assertThatExceptionOfType(WireFault.class)
                    .isThrownBy(() -> new MessageView().wrap(lying).check());
        }
    }

    @Test
    void elementsOfBodiesAreNoProperties() {
        for (Object value : new Object[] {'c', new byte[] {1}}) {
            ByteBuf block = Blocks.of(new MessageHeader(), Map.of("a", value), new byte[0]);
            assertThatExceptionOfType(WireFault.class)
                    .isThrownBy(() -> new MessageView().wrap(block).check());
        }
    }

    @Test
    void anUnknownBodyTypeOrPriorityIsAFault() {
        ByteBuf block = Blocks.of(new MessageHeader(), Map.of(), new byte[0]);
        assertThatExceptionOfType(WireFault.class)
                .isThrownBy(() -> new MessageView().wrap(block.copy().setByte(0, 6)));
        assertThatExceptionOfType(WireFault.class)
                .isThrownBy(() -> new MessageView().wrap(block.copy().setByte(BlockFormat.PRIORITY_AT, 10)));
    }
}
