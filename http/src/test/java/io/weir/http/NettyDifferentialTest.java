package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On valid input our decoders and Netty's report the same method, target, status, fields, body and trailers. */
class NettyDifferentialTest {
    private static final long[] SEEDS = {3, 4_2_18, 9112, 0xD1FF};

    @Test
    void madeRequestsDecodeAsNettyDecodesThem() {
        for (long seed : SEEDS) compareRequests(seed, 1500);
    }

    @Test
    void madeResponsesDecodeAsNettyDecodesThem() {
        for (long seed : SEEDS) compareResponses(seed, 1500);
    }

    @Test
    @Tag("nightly")
    void thousandsOfMessagesDecodeAsNettyDecodesThem() {
        for (long seed = 0; seed < 500; seed++) {
            compareRequests(seed, 100);
            compareResponses(seed, 100);
        }
    }

    private static void compareRequests(long seed, int rounds) {
        MessageMaker maker = new MessageMaker(seed);
        for (int round = 0; round < rounds; round++) {
            byte[] message = maker.requests();
            compare(Side.REQUEST, message, HttpRequestDecoder::new, seed);
        }
    }

    private static void compareResponses(long seed, int rounds) {
        MessageMaker maker = new MessageMaker(seed);
        for (int round = 0; round < rounds; round++) {
            byte[] message = maker.responses();
            compare(Side.RESPONSE, message, HttpResponseDecoder::new, seed);
        }
    }

    private static void compare(Side side, byte[] message, Supplier<ChannelHandler> netty, long seed) {
        Plain plain = Plain.of(side, message);
        assertThat(plain.toString())
                .as("seed %d:\n%s", seed, Ascii.string(message, 0, message.length))
                .isEqualTo(theirs(message, netty.get()));
    }

    private static String theirs(byte[] message, ChannelHandler decoder) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        StringBuilder text = new StringBuilder();
        StringBuilder body = new StringBuilder();
        channel.writeInbound(Unpooled.wrappedBuffer(message));
        channel.finish();
        for (HttpObject object = channel.readInbound(); object != null; object = channel.readInbound()) {
            assertThat(object.decoderResult().isSuccess()).as("%s", object).isTrue();
            if (object instanceof HttpMessage head) head(text, head);
            if (object instanceof HttpContent content) {
                ByteBuf data = content.content();
                body.append(data.toString(StandardCharsets.ISO_8859_1));
                if (content instanceof LastHttpContent last) {
                    text.append("body ").append(body).append('\n');
                    fields(text, last.trailingHeaders());
                    body.setLength(0);
                }
                content.release();
            }
        }
        return text.toString();
    }

    private static void head(StringBuilder text, HttpMessage head) {
        if (head instanceof HttpRequest request)
            text.append(request.method()).append(' ').append(request.uri());
        if (head instanceof HttpResponse response) text.append(response.status().code());
        text.append(' ').append(head.protocolVersion().text()).append('\n');
        fields(text, head.headers());
    }

    private static void fields(StringBuilder text, HttpHeaders headers) {
        for (Map.Entry<String, String> field : headers) {
            text.append(field.getKey()).append(": ").append(field.getValue()).append('\n');
        }
    }

    /** Our decoders' report, in the same words. */
    private static final class Plain {
        private final StringBuilder text = new StringBuilder();

        static Plain of(Side side, byte[] message) {
            Plain plain = new Plain();
            ByteBuf in = Unpooled.wrappedBuffer(message);
            BodyDecoder body = new BodyDecoder(side, () -> DecoderLimits.DEFAULT);
            if (side == Side.REQUEST) plain.requests(in, body);
            else plain.responses(in, body);
            in.release();
            return plain;
        }

        private void requests(ByteBuf in, BodyDecoder body) {
            RequestDecoder decoder = new RequestDecoder(DecoderLimits.DEFAULT);
            while (decoder.decode(in) == Progress.HEAD) {
                RequestHead head = decoder.head();
                text.append(head.method()).append(' ').append(head.target()).append(' ');
                text.append(head.version().text()).append('\n');
                fields(head.fields());
                body.begin(head.framing(), head.contentLength());
                body(in, body);
            }
            assertThat(decoder.fault()).isNull();
        }

        private void responses(ByteBuf in, BodyDecoder body) {
            ResponseDecoder decoder = new ResponseDecoder(DecoderLimits.DEFAULT);
            while (decoder.decode(in) == Progress.HEAD) {
                ResponseHead head = decoder.head();
                text.append(head.status())
                        .append(' ')
                        .append(head.version().text())
                        .append('\n');
                fields(head.fields());
                body.begin(head.framing(), head.contentLength());
                body(in, body);
            }
            assertThat(decoder.fault()).isNull();
        }

        private void body(ByteBuf in, BodyDecoder body) {
            text.append("body ");
            for (ByteBuf slice = body.next(in); slice != null; slice = body.next(in)) {
                text.append(slice.toString(StandardCharsets.ISO_8859_1));
                slice.release();
            }
            assertThat(body.inputClosed()).isNull();
            text.append('\n');
            fields(body.trailers());
        }

        private void fields(Fields fields) {
            for (int i = 0; i < fields.size(); i++) {
                text.append(fields.name(i)).append(": ").append(fields.value(i)).append('\n');
            }
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
