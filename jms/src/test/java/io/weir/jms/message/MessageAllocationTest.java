package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.DestinationCache;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.SendFrame;
import io.weir.jms.selector.MessageRow;
import io.weir.jms.selector.Selector;
import jakarta.jms.DeliveryMode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds messaging's hot paths to the budgets of docs/hot-paths.md: bytes allocated per operation, warm. */
class MessageAllocationTest {
    private static final int WARM = 3_000;
    private static final int OPERATIONS = 1_000;
    private static final int BODY = 1024;
    /** The message, its header and properties, the array and its wrapping. */
    private static final long RECEIVED = BODY + 400;

    private final ByteBuf out = new UnpooledByteBufAllocator(true, true).directBuffer(4096);
    private final WeirBytesMessage message = new WeirBytesMessage();
    private final WeirQueue queue = new WeirQueue("bench/queue");

    @BeforeEach
    void fill() throws Exception {
        message.writeBytes(new byte[BODY]);
        message.setStringProperty("color", "blue");
        message.setIntProperty("weight", 2600);
    }

    @AfterEach
    void release() {
        out.release();
    }

    private static long perOperation(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM; i++) {
            operation.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / OPERATIONS;
    }

    private void writeSend() {
        out.clear();
        SendFrame.writeHead(out, 7, 1, SendFrame.PERSISTENT, 10, queue.wireName());
        message.stamp(queue, DeliveryMode.PERSISTENT, 4, 0xabcL, 17, 1_700_000_000_000L, 0, 1_700_000_000_000L);
        message.encode(out);
    }

    @Test
    void encodingASendAllocatesNothing() throws Exception {
        message.clearProperties();
        assertThat(perOperation(this::writeSend)).isZero();
    }

    /** The entries of the map cost an iterator. */
    @Test
    void encodingASendWithPropertiesAllocatesAnIteratorOnly() {
        assertThat(perOperation(this::writeSend)).isLessThanOrEqualTo(64);
    }

    @Test
    void readingASendAtTheBrokerAllocatesNothing() {
        writeSend();
        SendFrame frame = new SendFrame();
        DestinationCache destinations = new DestinationCache();
        MessageView view = new MessageView();
        assertThat(perOperation(() -> {
                    out.readerIndex(0);
                    frame.read(out, destinations);
                    if (view.wrap(out).check().priority() != 4) throw new AssertionError();
                }))
                .isZero();
    }

    @Test
    void theHeadOfADeliveryAndSmallFramesAllocateNothing() {
        DeliverFrame deliver = new DeliverFrame();
        AckFrame ack = new AckFrame();
        CreditFrame credit = new CreditFrame();
        assertThat(perOperation(() -> {
                    out.clear();
                    DeliverFrame.writeHead(out, 3, 1L << 33, DeliverFrame.REDELIVERED, 2);
                    AckFrame.write(out, 1, 5, AckFrame.CONSUMED);
                    CreditFrame.write(out, 5, 5120);
                    BrokerFrames.Ok.writePlain(out, 7);
                    deliver.read(out);
                    ack.next(out);
                    credit.read(out);
                    if (BrokerFrames.Ok.readRequest(out) != 7) throw new AssertionError();
                }))
                .isZero();
    }

    @Test
    void matchingASelectorInPlaceAllocatesNothing() throws Exception {
        message.setJMSType("car");
        message.setJMSCorrelationID("c-1");
        out.clear();
        Delivered.stamp(message);
        message.encode(out);
        Selector selector = Selector.parse("JMSType = 'car' AND color IN ('red', 'blue') AND weight * 2 > 5000.5"
                + " AND JMSCorrelationID = 'c-1' AND JMSMessageID <> 'ID:weir-f-4' AND JMSPriority BETWEEN 5 AND 9"
                + " AND JMSDeliveryMode = 'NON_PERSISTENT' AND gone IS NULL AND (NOT weight = 1 OR gone)");
        MessageView view = new MessageView();
        MessageRow row = new MessageRow();
        assertThat(perOperation(() -> {
                    if (!selector.matches(row.set(view.wrap(out), 1))) throw new AssertionError();
                    if (!selector.matches(view, 1)) throw new AssertionError();
                }))
                .isZero();
    }

    @Test
    void receivingAMessageAllocatesItsBodyAndLittleElse() throws Exception {
        message.clearProperties();
        out.clear();
        Delivered.stamp(message);
        message.encode(out);
        MessageView view = new MessageView();
        Delivered consumer = new Delivered();
        WeirMessage[] kept = new WeirMessage[1];
        assertThat(perOperation(() -> kept[0] = WeirMessage.received(view.wrap(out), queue, false, 1, 5, consumer)))
                .isLessThanOrEqualTo(RECEIVED);
    }
}
