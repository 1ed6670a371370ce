package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class EncoderTest {
    private final ByteBuf out = Unpooled.buffer();

    private String written() {
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.clear();
        return text;
    }

    @Test
    void startLinesAreWrittenAsSpecified() {
        Encoder.requestLine(out, "GET", "/a?b", Version.HTTP_1_1);
        assertThat(written()).isEqualTo("GET /a?b HTTP/1.1\r\n");
        byte[] target = "xx/ayy".getBytes(StandardCharsets.ISO_8859_1);
        Encoder.requestLine(out, "BREW", target, 2, 4, Version.HTTP_1_0);
        assertThat(written()).isEqualTo("BREW /a HTTP/1.0\r\n");
        Encoder.statusLine(out, Version.HTTP_1_1, 404);
        assertThat(written()).isEqualTo("HTTP/1.1 404 Not Found\r\n");
        Encoder.statusLine(out, Version.HTTP_1_0, 999, "Caf\u00e9");
        assertThat(written()).isEqualTo("HTTP/1.0 999 Caf\u00e9\r\n");
        Encoder.statusLine(out, Version.HTTP_1_1, 299);
        assertThat(written()).isEqualTo("HTTP/1.1 299 \r\n");
    }

    @Test
    void numbersAreWrittenInDecimalAtEveryLength() {
        long value = 1;
        for (int digits = 1; digits <= 19; digits++, value *= 10) {
            for (long v : new long[] {value, value - 1, value + 7, -value}) {
                Encoder.asciiLong(out, v);
                assertThat(written()).isEqualTo(Long.toString(v));
            }
        }
        for (long v : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
            Encoder.asciiLong(out, v);
            assertThat(written()).isEqualTo(Long.toString(v));
        }
    }

    @Test
    void chunkSizesAreWrittenInHexadecimalAtEveryLength() {
        for (int shift = 0; shift < 63; shift++) {
            for (long size : new long[] {1L << shift, (1L << shift) | 1, Long.MAX_VALUE >>> shift}) {
                Encoder.chunkHeader(out, size);
                assertThat(written()).isEqualTo(Long.toHexString(size) + "\r\n");
            }
        }
    }

    @Test
    void aChunkOfNothingIsRefusedBecauseItWouldEndTheBody() {
        assertThatThrownBy(() -> Encoder.chunkHeader(out, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Encoder.chunkHeader(out, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLastChunkCarriesTheTrailers() {
        Encoder.lastChunk(out, null);
        assertThat(written()).isEqualTo("0\r\n\r\n");
        Fields trailers = new Fields();
        trailers.add("X-Sum", "1");
        Encoder.lastChunk(out, trailers);
        assertThat(written()).isEqualTo("0\r\nX-Sum: 1\r\n\r\n");
    }

    @Test
    void aFilterDropsFieldsAndTheOthersKeepTheirOrder() {
        Fields fields = FieldsTest.decoded("A: 1\r\nConnection: x\r\nB: 2\r\nC:3\r\nD: 4 \r\nX: y\r\nE: 5\r\nF: 6\r\n");
        fields.add("G", "7");
        Encoder.fields(
                out,
                fields,
                (f, i) -> f.id(i) != FieldName.CONNECTION && !f.name(i).equals("X"));
        assertThat(written()).isEqualTo("A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\nF: 6\r\nG: 7\r\n");
        Encoder.fields(out, fields, (f, i) -> false);
        assertThat(written()).isEmpty();
    }

    @Test
    void singleFieldsAreWrittenWithTheirCanonicalNames() {
        Encoder.field(out, FieldName.CONTENT_LENGTH, 13000);
        Encoder.field(out, FieldName.AGE, 0);
        Encoder.field(out, FieldName.VIA, "1.1 weir");
        Encoder.chunkedLine(out);
        Encoder.endOfHead(out);
        assertThat(written())
                .isEqualTo("Content-Length: 13000\r\nAge: 0\r\nVia: 1.1 weir\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    @Test
    void textThatWouldSplitTheMessageIsRefusedBeforeAnythingIsWritten() {
        for (String text : new String[] {"a\r\nb", "a\nb", "\0", "\u0100", "\u010a"}) {
            assertThatThrownBy(() -> Encoder.field(out, FieldName.VIA, text))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Encoder.statusLine(out, Version.HTTP_1_1, 200, text))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Encoder.requestLine(out, text, "/", Version.HTTP_1_1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Encoder.requestLine(out, "GET", "/" + text, Version.HTTP_1_1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String target : new String[] {"", "/a b", "/a#b", "/\u00e9"}) {
            assertThatThrownBy(() -> Encoder.requestLine(out, "GET", target, Version.HTTP_1_1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Encoder.statusLine(out, Version.HTTP_1_1, 99))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Encoder.statusLine(out, Version.HTTP_1_1, 1000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.readableBytes()).isZero();
    }

    @Test
    void everyReasonPhraseIsPlainAscii() {
        for (int status = 0; status < 1000; status++) {
            assertThat(Reason.of(status)).matches("[A-Za-z -]*");
        }
        assertThat(Reason.of(504).toLowerCase(Locale.ROOT)).isEqualTo("gateway timeout");
    }
}
