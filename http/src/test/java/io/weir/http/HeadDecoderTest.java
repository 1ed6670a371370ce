package io.weir.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HeadDecoderTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final HeadScratch scratch = new HeadScratch();
    private final AtomicReference<DecoderLimits> limits = new AtomicReference<>(DecoderLimits.DEFAULT);
    private final RequestDecoder decoder = new RequestDecoder(limits::get, scratch);

    private static ByteBuf in(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private Progress decode(String text) {
        return decoder.decode(in(text));
    }

    private static DecoderLimits limits(int line, int method, int headers, int count) {
        return new DecoderLimits(line, method, headers, count, 16, 16, 64, 2);
    }

    @Test
    void whatFollowsTheHeadIsLeftInTheBuffer() {
        ByteBuf in = in(GET + "body");
        assertThat(decoder.decode(in)).isEqualTo(Progress.HEAD);
        assertThat(in.toString(StandardCharsets.ISO_8859_1)).isEqualTo("body");
    }

    @Test
    void anIdleDecoderHoldsNoMemoryAndGivesBackWhatItBorrowed() {
        assertThat(decoder.idle()).isTrue();
        assertThat(decode("GET / HT")).isEqualTo(Progress.MORE);
        assertThat(decoder.idle()).isFalse();
        assertThat(decoder.inHead()).isTrue();
        assertThat(decode("TP/1.0\r\n\r\n")).isEqualTo(Progress.HEAD);
        assertThat(decoder.inHead()).isFalse();
        decoder.reset();
        assertThat(decoder.idle()).isTrue();
        assertThat(scratch.held()).isEqualTo(1);
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        assertThat(scratch.held()).isZero();
    }

    @Test
    void arraysThatGrewLargeAreNotKept() {
        String large = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(40_000) + "\r\n\r\n";
        assertThat(decode(large)).isEqualTo(Progress.HEAD);
        decoder.reset();
        assertThat(scratch.held()).isZero();
    }

    @Test
    void theEmptyLineBeforeARequestLeavesTheDecoderIdle() {
        assertThat(decode("\r\n")).isEqualTo(Progress.MORE);
        assertThat(decoder.idle()).isTrue();
        assertThat(decode("\r\n")).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).reason()).isEqualTo(Fault.REQUEST_LINE_EMPTY);
    }

    @Test
    void anEmptyLineIsToleratedBeforeEveryRequest() {
        ByteBuf in = in("\r\n" + GET + "\r\n" + GET);
        assertThat(decoder.decode(in)).isEqualTo(Progress.HEAD);
        assertThat(decoder.decode(in)).isEqualTo(Progress.HEAD);
        assertThat(in.isReadable()).isFalse();
    }

    @Test
    void aFaultLastsUntilReset() {
        assertThat(decode("GET /\r\n")).isEqualTo(Progress.FAULT);
        assertThat(decode(GET)).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).status()).isEqualTo(400);
        decoder.reset();
        assertThat(decoder.fault()).isNull();
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
    }

    @Test
    void limitsAreReadAgainForEachMessage() {
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        limits.set(limits(10, 10, 100, 4));
        assertThat(decode(GET)).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).reason()).isEqualTo(Fault.REQUEST_LINE_TOO_LONG);
    }

    @Test
    void theRequestLineMayBeAsLongAsItsLimitAndNoLonger() {
        limits.set(limits(14, 3, 100, 4));
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        decoder.reset();
        limits.set(limits(13, 3, 100, 4));
        assertThat(decode(GET)).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).status()).isEqualTo(414);
    }

    @Test
    void theMethodMayBeAsLongAsItsLimitAndNoLonger() {
        limits.set(limits(100, 3, 100, 4));
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        decoder.reset();
        limits.set(limits(100, 2, 100, 4));
        assertThat(decode(GET)).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).status()).isEqualTo(501);
    }

    @Test
    void theHeaderSectionMayBeAsLargeAsItsLimitAndNoLarger() {
        int section = "Host: a\r\n\r\n".length();
        limits.set(limits(100, 10, section, 4));
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        decoder.reset();
        limits.set(limits(100, 10, section - 1, 4));
        assertThat(decode(GET)).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).reason()).isEqualTo(Fault.HEADERS_TOO_LARGE);
        assertThat(requireNonNull(decoder.fault()).status()).isEqualTo(431);
    }

    @Test
    void thereMayBeAsManyFieldsAsTheLimitAndNoMore() {
        limits.set(limits(100, 10, 100, 1));
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        decoder.reset();
        assertThat(decode("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n")).isEqualTo(Progress.FAULT);
        assertThat(requireNonNull(decoder.fault()).reason()).isEqualTo(Fault.HEADERS_TOO_MANY);
    }

    @Test
    void aHeadDeliveredByteByByteIsLookedAtOnce() {
        StringBuilder text = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\n");
        while (text.length() < 60_000)
            text.append("X-Field: ").append("v".repeat(1000)).append("\r\n");
        text.append("\r\n");
        ByteBuf whole = in(text.toString());
        Progress progress = Progress.MORE;
        while (progress == Progress.MORE) progress = decoder.decode(whole.readSlice(1));
        assertThat(progress).isEqualTo(Progress.HEAD);
        // a line end is looked at twice when it is cut, and each call ends on one byte
        assertThat(decoder.examined()).isLessThan(3L * text.length());
    }

    @Test
    void aCopyOutlivesItsDecoder() {
        String text = "BREW http://h:81/p?q HTTP/1.1\r\nHost: h:81\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
        assertThat(decode(text)).isEqualTo(Progress.HEAD);
        RequestHead copy = decoder.head().copy();
        decoder.reset();
        assertThat(decode("GET /other-and-longer-than-before HTTP/1.1\r\nHost: zzzzzzzzzzzzzzzzzz\r\n\r\n"))
                .isEqualTo(Progress.HEAD);
        assertThat(copy.method()).isEqualTo("BREW");
        assertThat(copy.methodId()).isEqualTo(Method.OTHER);
        assertThat(copy.target()).isEqualTo("http://h:81/p?q");
        assertThat(copy.scheme()).isEqualTo("http");
        assertThat(copy.host()).isEqualTo("h:81");
        assertThat(copy.hostName()).isEqualTo("h");
        assertThat(copy.port()).isEqualTo(81);
        assertThat(copy.path()).isEqualTo("/p");
        assertThat(copy.query()).isEqualTo("q");
        assertThat(copy.contentLength()).isEqualTo(3);
        assertThat(copy.keepAlive()).isFalse();
        assertThat(copy.fields().first(FieldName.CONNECTION)).isEqualTo("close");
    }

    @Test
    void fieldsAddedToADecodedHeadLeaveItsLineReadable() {
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        RequestHead head = decoder.head();
        for (int i = 0; i < 200; i++) head.fields().add("X-Added", "value " + i);
        assertThat(head.target()).isEqualTo("/");
        assertThat(head.host()).isEqualTo("a");
        assertThat(head.fields().size()).isEqualTo(201);
        assertThat(decode(GET)).isEqualTo(Progress.HEAD);
        assertThat(head.fields().size()).isEqualTo(1);
    }

    @Test
    void framingOfAResponseDependsOnTheRequestsMethod() {
        ResponseDecoder responses = new ResponseDecoder(DecoderLimits.DEFAULT);
        String text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        responses.expect(Method.HEAD);
        responses.decode(in(text));
        assertThat(responses.head().framing()).isEqualTo(Framing.NONE);
        assertThat(responses.head().contentLength()).isEqualTo(5);
        responses.expect(Method.GET);
        responses.decode(in(text));
        assertThat(responses.head().framing()).isEqualTo(Framing.LENGTH);
        ResponseHead copy = responses.head().copy();
        responses.reset();
        assertThat(copy.reason()).isEqualTo("OK");
        assertThat(copy.status()).isEqualTo(200);
        assertThat(copy.fields().first(FieldName.CONTENT_LENGTH)).isEqualTo("5");
    }

    @Test
    void aFaultyResponseIsAnswered502() {
        ResponseDecoder responses = new ResponseDecoder(DecoderLimits.DEFAULT);
        assertThat(responses.decode(in("HTTP/1.1 200 OK\nX: y\r\n\r\n"))).isEqualTo(Progress.FAULT);
        assertThat(responses.fault()).isEqualTo(new ProtocolFault(Fault.BARE_LF, 502, Fault.BARE_LF.text()));
    }

    @Test
    void manyDecodersShareOneScratch() {
        RequestDecoder other = new RequestDecoder(limits::get, scratch);
        assertThat(decode("GET /one HTTP/1.0\r\n\r\n")).isEqualTo(Progress.HEAD);
        assertThat(other.decode(in("GET /two HTTP/1.0\r\n\r\n"))).isEqualTo(Progress.HEAD);
        assertThat(decoder.head().target()).isEqualTo("/one");
        assertThat(other.head().target()).isEqualTo("/two");
        decoder.reset();
        other.reset();
        assertThat(scratch.held()).isEqualTo(2);
    }
}
