package io.weir.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodyDecoderTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(100, 10, 100, 4, 20, 30, 16, 2);

    private final BodyDecoder body = new BodyDecoder(Side.REQUEST, () -> LIMITS);

    private static ByteBuf in(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String read(ByteBuf in) {
        StringBuilder data = new StringBuilder();
        for (ByteBuf slice = body.next(in); slice != null; slice = body.next(in)) {
            data.append(slice.toString(StandardCharsets.ISO_8859_1));
            slice.release();
        }
        return data.toString();
    }

    private String chunked(String text) {
        body.begin(Framing.CHUNKED, 0);
        return read(in(text));
    }

    @Test
    void dataIsLentNotCopied() {
        ByteBuf in =
                PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes("hello".getBytes(StandardCharsets.US_ASCII));
        body.begin(Framing.LENGTH, 5);
        ByteBuf slice = requireNonNull(body.next(in));
        assertThat(in.refCnt()).isEqualTo(2);
        in.setByte(0, 'j');
        assertThat(slice.toString(StandardCharsets.US_ASCII)).isEqualTo("jello");
        slice.release();
        in.release();
        assertThat(in.refCnt()).isZero();
        assertThat(body.done()).isTrue();
    }

    @Test
    void aBodyOfKnownLengthEndsExactlyThere() {
        body.begin(Framing.LENGTH, 3);
        ByteBuf in = in("abcGET");
        assertThat(read(in)).isEqualTo("abc");
        assertThat(body.done()).isTrue();
        assertThat(in.readableBytes()).isEqualTo(3);
        assertThat(body.inputClosed()).isNull();
    }

    @Test
    void bodiesWithoutBytesAreDoneAtOnce() {
        body.begin(Framing.NONE, 0);
        assertThat(body.done()).isTrue();
        body.begin(Framing.LENGTH, 0);
        assertThat(body.done()).isTrue();
        assertThat(body.next(in("x"))).isNull();
        assertThat(body.hasTrailers()).isFalse();
        assertThatThrownBy(() -> body.begin(Framing.LENGTH, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBodyUntilCloseEndsWithTheConnection() {
        body.begin(Framing.UNTIL_CLOSE, -1);
        assertThat(read(in("all of this"))).isEqualTo("all of this");
        assertThat(body.done()).isFalse();
        assertThat(body.inputClosed()).isNull();
        assertThat(body.done()).isTrue();
    }

    @Test
    void aLengthLargerThanMemoryIsCountedDown() {
        body.begin(Framing.LENGTH, 10_000_000_000L);
        assertThat(read(in("hello"))).isEqualTo("hello");
        assertThat(body.remaining()).isEqualTo(9_999_999_995L);
        assertThat(requireNonNull(body.inputClosed()).reason()).isEqualTo(Fault.BODY_TRUNCATED);
    }

    @Test
    void theLargestChunkSizeIsTaken() {
        assertThat(chunked("7fffffffffffffff\r\nx")).isEqualTo("x");
        assertThat(body.remaining()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(chunked("8000000000000000\r\n")).isEmpty();
        assertThat(requireNonNull(body.fault()).reason()).isEqualTo(Fault.CHUNK_SIZE_OVERFLOW);
    }

    @Test
    void aChunkLineMayBeAsLongAsItsLimitAndNoLonger() {
        assertThat(chunked("1;" + "a".repeat(18) + "\r\nx")).isEqualTo("x");
        assertThat(chunked("1;" + "a".repeat(19) + "\r\nx")).isEmpty();
        assertThat(requireNonNull(body.fault()).reason()).isEqualTo(Fault.CHUNK_LINE_TOO_LONG);
    }

    @Test
    void allChunkExtensionsTogetherMayBeAsLongAsTheirLimitAndNoLonger() {
        String fifteen = "1;" + "a".repeat(14) + "\r\nx\r\n";
        assertThat(chunked(fifteen + fifteen + "0\r\n\r\n")).isEqualTo("xx");
        assertThat(body.done()).isTrue();
        assertThat(chunked(fifteen + fifteen + "1;a\r\nx")).isEqualTo("xx");
        assertThat(requireNonNull(body.fault()).reason()).isEqualTo(Fault.CHUNK_EXTENSIONS_TOO_LARGE);
    }

    @Test
    void theTrailerSectionMayBeAsLargeAsItsLimitAndNoLarger() {
        assertThat(chunked("0\r\nX: " + "a".repeat(9) + "\r\n\r\n")).isEmpty();
        assertThat(body.done()).isTrue();
        assertThat(body.hasTrailers()).isTrue();
        chunked("0\r\nX: " + "a".repeat(10) + "\r\n\r\n");
        assertThat(requireNonNull(body.fault()).reason()).isEqualTo(Fault.TRAILERS_TOO_LARGE);
    }

    @Test
    void thereMayBeAsManyTrailersAsTheLimitAndNoMore() {
        chunked("0\r\nA:1\r\nB:2\r\n\r\n");
        assertThat(body.trailers().size()).isEqualTo(2);
        chunked("0\r\nA:1\r\nB:2\r\nC:\r\n");
        assertThat(requireNonNull(body.fault()).reason()).isEqualTo(Fault.TRAILERS_TOO_MANY);
    }

    @Test
    void aRefusedBodyYieldsWhatCameBeforeTheFaultAndNothingAfter() {
        body.begin(Framing.CHUNKED, 0);
        ByteBuf in = in("3\r\nabcX0\r\n\r\n");
        assertThat(read(in)).isEqualTo("abc");
        assertThat(body.fault())
                .isEqualTo(new ProtocolFault(Fault.CHUNK_DATA_UNTERMINATED, 400, Fault.CHUNK_DATA_UNTERMINATED.text()));
        assertThat(body.next(in)).isNull();
        assertThat(body.done()).isFalse();
    }

    @Test
    void theNextBodyForgetsFaultAndTrailers() {
        chunked("0\r\nA:1\r\n\r\n");
        chunked("x");
        body.begin(Framing.LENGTH, 1);
        assertThat(body.fault()).isNull();
        assertThat(read(in("y"))).isEqualTo("y");
        assertThat(body.trailers().size()).isZero();
    }

    @Test
    void faultsOfResponsesAreAnswered502() {
        BodyDecoder responses = new BodyDecoder(Side.RESPONSE, () -> LIMITS);
        responses.begin(Framing.CHUNKED, 0);
        assertThat(responses.next(in("+5\r\n"))).isNull();
        assertThat(requireNonNull(responses.fault()).status()).isEqualTo(502);
    }
}
