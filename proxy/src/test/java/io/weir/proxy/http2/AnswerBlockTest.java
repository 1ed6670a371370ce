package io.weir.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.weir.base.Chance;
import io.weir.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads as header blocks, read again by a decoder of another's making. */
class AnswerBlockTest {
    private static final int HEADS = 300;
    private static final List<FieldName> KNOWN = List.of(FieldName.values());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aDecoderReadsWhatWasInTheHead(long seed) throws Exception {
        RandomGenerator chance = Chance.seeded(seed).random();
        DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 10_000_000);
        for (int n = 0; n < HEADS; n++) {
            int status = chance.nextInt(100, 1000);
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Some reason\r\n");
            List<String> expected = new ArrayList<>(List.of(":status: " + status));
            for (int i = chance.nextInt(12); i > 0; i--) {
                String name = name(chance);
                String value = value(chance);
                head.append(name).append(": ").append(value).append("\r\n");
                if (!List.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade")
                        .contains(name.toLowerCase(Locale.ROOT))) {
                    expected.add(name.toLowerCase(Locale.ROOT) + ": " + value);
                }
            }
            assertThat(fields(decoder, head.append("\r\nbody").toString())).isEqualTo(expected);
        }
    }

    /** Every name that Weir knows is one of the static table's, or written out. */
    @Test
    void eachKnownNameIsItself() throws Exception {
        DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 10_000_000);
        for (FieldName name : FieldName.values()) {
            if (!AnswerHead.ofConnection(name)) {
                assertThat(fields(decoder, "HTTP/1.1 200 OK\r\n" + name.lower() + ": v\r\n\r\n"))
                        .containsExactly(":status: 200", name.lower() + ": v");
            }
        }
    }

    @Test
    void aCookieIsNeverIndexed() {
        byte[] block = block("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n\r\n");
        // index 55 in a prefix of four bits
        assertThat(block).startsWith(0x88, 0x1f, 40, 3);
    }

    private static List<String> fields(DefaultHttp2HeadersDecoder decoder, String head) throws Exception {
        ByteBuf in = Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1);
        AnswerHead read = AnswerHead.read(in);
        assertThat(in.readableBytes()).isEqualTo(head.length() - head.indexOf("\r\n\r\n") - 4);
        ByteBuf out = Unpooled.buffer();
        ((AnswerBlock) read.headers()).write(out);
        Http2Headers decoded = decoder.decodeHeaders(3, out);
        List<String> fields = new ArrayList<>();
        decoded.forEach(e -> fields.add(e.getKey() + ": " + e.getValue()));
        assertThat(read.headers().status()).hasToString(String.valueOf(read.status()));
        return fields;
    }

    private static byte[] block(String head) {
        ByteBuf out = Unpooled.buffer();
        ((AnswerBlock) AnswerHead.read(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1))
                        .headers())
                .write(out);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static String name(RandomGenerator chance) {
        if (chance.nextInt(3) > 0) {
            return KNOWN.get(chance.nextInt(KNOWN.size())).lower();
        }
        return "X-" + "Name".repeat(chance.nextInt(1, chance.nextInt(10) == 0 ? 100 : 5));
    }

    private static String value(RandomGenerator chance) {
        int[] lengths = {0, 1, 20, 126, 127, 128, 254, 255, 256, 16_510, 16_511, 70_000};
        return "v".repeat(lengths[chance.nextInt(lengths.length)]);
    }
}
