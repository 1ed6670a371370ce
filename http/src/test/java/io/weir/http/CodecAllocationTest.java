package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Holds the codec to the budgets of docs/hot-paths.md: bytes allocated per operation, warm. */
class CodecAllocationTest {
    private static final int WARM = 3_000;
    private static final int OPERATIONS = 1_000;
    /** A retained slice of an unpooled buffer; pooled ones are recycled. */
    private static final long SLICE = 96;

    /** The request and body decoder of one connection, while nothing is being received. */
    private static final long IDLE_CONNECTION = 512;

    private final HeadScratch scratch = new HeadScratch();

    private static ByteBuf in(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static long perOperation(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM; i++) operation.run();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) operation.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / OPERATIONS;
    }

    @Test
    void decodingARequestAllocatesNothing() {
        RequestDecoder decoder = new RequestDecoder(() -> DecoderLimits.DEFAULT, scratch);
        ByteBuf in = in(DecoderMeasure.BROWSER_REQUEST);
        assertThat(perOperation(() -> {
                    in.readerIndex(0);
                    if (decoder.decode(in) != Progress.HEAD) throw new AssertionError();
                    RequestHead head = decoder.head();
                    if (!head.keepAlive() || head.expectsContinue() || head.methodId() != Method.GET)
                        throw new AssertionError();
                    if (head.fields().hasToken(FieldName.CONNECTION, "close")) throw new AssertionError();
                    decoder.reset();
                }))
                .isZero();
    }

    @Test
    void decodingAResponseAllocatesNothing() {
        ResponseDecoder decoder = new ResponseDecoder(() -> DecoderLimits.DEFAULT, scratch);
        ByteBuf in = in(DecoderMeasure.RESPONSE);
        assertThat(perOperation(() -> {
                    in.readerIndex(0);
                    if (decoder.decode(in) != Progress.HEAD) throw new AssertionError();
                    decoder.reset();
                }))
                .isZero();
    }

    @Test
    void findingTheChunksOfABodyAllocatesTheirSlicesOnly() {
        BodyDecoder decoder = new BodyDecoder(Side.RESPONSE, () -> DecoderLimits.DEFAULT);
        ByteBuf in = in("5;a=\"b\"\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
        assertThat(perOperation(() -> {
                    in.readerIndex(0);
                    decoder.begin(Framing.CHUNKED, 0);
                    for (ByteBuf slice = decoder.next(in); slice != null; slice = decoder.next(in)) slice.release();
                    if (!decoder.done() || decoder.trailers().size() > 0) throw new AssertionError();
                }))
                .isLessThanOrEqualTo(2 * SLICE);
    }

    @Test
    void writingAHeadAllocatesNothing() {
        Fields fields = FieldsTest.decoded("Host: a\r\nAccept: b\r\nCookie: c\r\nX-D:e\r\n")
                .copy();
        ByteBuf out = Unpooled.buffer(512);
        Encoder.FieldFilter filter = (f, i) -> f.id(i) != FieldName.COOKIE;
        assertThat(perOperation(() -> {
                    out.clear();
                    Encoder.statusLine(out, Version.HTTP_1_1, 200, "OK");
                    Encoder.fields(out, fields, filter);
                    Encoder.field(out, FieldName.AGE, 123456789L);
                    Encoder.field(out, FieldName.VIA, "1.1 weir");
                    Encoder.endOfHead(out);
                    Encoder.chunkHeader(out, 4711);
                }))
                .isZero();
    }

    @Test
    void theMemoryOfACopyIsWhatItAllocates() {
        Fields fields = FieldsTest.decoded("Host: a\r\nAccept: b\r\nCookie: c\r\nX-D:e\r\n");
        long counted = fields.copy().memoryBytes();
        assertThat(perOperation(fields::copy)).isBetween(counted - 8, counted);
    }

    @Test
    void theDecodersOfAnIdleConnectionAreSmall() {
        Supplier<DecoderLimits> limits = () -> DecoderLimits.DEFAULT;
        Object[] kept = new Object[2];
        assertThat(perOperation(() -> {
                    kept[0] = new RequestDecoder(limits, scratch);
                    kept[1] = new BodyDecoder(Side.REQUEST, limits);
                }))
                .isLessThanOrEqualTo(IDLE_CONNECTION);
    }
}
