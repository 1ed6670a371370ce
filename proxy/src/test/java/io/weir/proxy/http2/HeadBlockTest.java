package io.weir.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
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

/** Heads as blocks: what another's decoder reads from them. */
class HeadBlockTest {
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
    private final Http2HeadersEncoder encoder = new BlockEncoder(Http2HeadersEncoder.NEVER_SENSITIVE);

    private ByteBuf encoded(String head) throws Exception {
        ByteBuf text = Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1);
        AnswerHead read = AnswerHead.read(text);
        assertThat(text.isReadable()).isFalse();
        ByteBuf block = Unpooled.buffer();
        encoder.encodeHeaders(3, read.headers(), block);
        return block;
    }

    private List<String> decoded(ByteBuf block) throws Exception {
        Http2Headers headers = decoder.decodeHeaders(3, block);
        List<String> lines = new ArrayList<>();
        headers.forEach(e -> lines.add(e.getKey() + ": " + e.getValue()));
        return lines;
    }

    @Test
    void fieldsAreReadAsTheyWereWritten() throws Exception {
        assertThat(decoded(encoded("""
                HTTP/1.1 200 OK
                Content-Type: text/html
                X-Own:  a b\t
                Empty:
                Connection: keep-alive
                Transfer-Encoding: chunked
                ETag: "\u00e9"
                Set-Cookie: a=1
                Set-Cookie: b=2

                """.replace("\n", "\r\n"))))
                .containsExactly(
                        ":status: 200",
                        "content-type: text/html",
                        "x-own: a b",
                        "empty: ",
                        "etag: \"\u00e9\"",
                        "set-cookie: a=1",
                        "set-cookie: b=2");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103, 200, 204, 206, 304, 400, 404, 500, 503, 999})
    void eachStatusIsRead(int status) throws Exception {
        String head = "HTTP/1.1 " + status + " X\r\n\r\n";
        assertThat(decoded(encoded(head))).containsExactly(":status: " + status);
        assertThat(AnswerHead.read(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1))
                        .headers()
                        .status())
                .hasToString(String.valueOf(status));
    }

    @Test
    void eachKnownNameIsRead() throws Exception {
        for (FieldName name : FieldName.values()) {
            if (!HeadBlock.ofConnection(name)) {
                String lower = name.lower().toLowerCase(Locale.ROOT);
                assertThat(decoded(encoded("HTTP/1.1 200 OK\r\n" + lower + ": v\r\n\r\n")))
                        .containsExactly(":status: 200", lower + ": v");
            }
        }
    }

    /** Lengths of one, two and three bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 126, 127, 128, 254, 255, 16_000, 16_509, 16_510, 16_511, 100_000})
    void longValuesAndNamesAreRead(int length) throws Exception {
        String text = "v".repeat(length);
        assertThat(decoded(encoded("HTTP/1.1 200 OK\r\nVary: " + text + "\r\nx" + text + ": " + text + "\r\n\r\n")))
                .containsExactly(":status: 200", "vary: " + text, "x" + text + ": " + text);
    }

    @Test
    void cookiesAreForNobodysTable() throws Exception {
        ByteBuf block = encoded("HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nVary: b\r\n\r\n");
        assertThat(block.getByte(1)).as("never indexed").isEqualTo((byte) 0x1F);
        assertThat(block.getByte(1 + 4)).as("not indexed").isEqualTo((byte) 0x0F);
    }

    /** What the codec itself encodes refers to a table that blocks leave alone. */
    @Test
    void blocksAndOtherHeadersTakeTurns() throws Exception {
        for (int i = 0; i < 3; i++) {
            ByteBuf other = Unpooled.buffer();
            encoder.encodeHeaders(3, new DefaultHttp2Headers().add("x-indexed", "value"), other);
            assertThat(decoded(other)).containsExactly("x-indexed: value");
            assertThat(decoded(encoded("HTTP/1.1 304 X\r\nAge: " + i + "\r\n\r\n")))
                    .containsExactly(":status: 304", "age: " + i);
        }
    }

    /** RFC 7541 section 4.2: the block after a change begins with it. */
    @Test
    void aChangeOfTheTableComesFirst() throws Exception {
        encoder.configuration().maxHeaderTableSize(0);
        ByteBuf block = encoded("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(block.getByte(0)).isEqualTo((byte) 0x20);
        assertThat(block.getByte(1)).isEqualTo((byte) 0x88);
        assertThat(encoded("HTTP/1.1 200 OK\r\n\r\n").readableBytes()).isEqualTo(1);
    }

    @Test
    void nothingElseCanBeAskedOfABlock() {
        Http2Headers headers = AnswerHead.read(
                        Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\n\r\n", StandardCharsets.US_ASCII))
                .headers();
        assertThatThrownBy(headers::iterator).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void generatedHeadsAreRead(long seed) throws Exception {
        RandomGenerator random = Chance.seeded(seed).random();
        for (int i = 0; i < 2_000; i++) {
            StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\n");
            List<String> expected = new ArrayList<>(List.of(":status: 200"));
            for (int k = random.nextInt(30); k > 0; k--) {
                String name = random.nextBoolean()
                        ? "X-" + Integer.toHexString(random.nextInt()).repeat(1 + random.nextInt(20))
                        : List.of(FieldName.values())
                                .get(random.nextInt(FieldName.values().length))
                                .lower();
                String value = "\u00fc=".repeat(random.nextInt(random.nextInt(8) == 0 ? 300 : 20));
                FieldName known = FieldName.of(name.getBytes(StandardCharsets.US_ASCII), 0, name.length());
                head.append(name).append(": ").append(value).append("\r\n");
                if (known == null || !HeadBlock.ofConnection(known)) {
                    expected.add(name.toLowerCase(Locale.ROOT) + ": " + value);
                }
            }
            assertThat(decoded(encoded(head + "\r\n"))).isEqualTo(expected);
        }
    }
}
