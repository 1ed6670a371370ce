package io.weir.proxy.http2;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;

/**
 * The fields of one header block in the order received, including pseudo-fields: Netty's own list moves those to the
 * front, which hides whether they followed others. Made for one block, confined to the connection's muxer.
 */
final class RequestFields extends DefaultHttp2Headers {
    private AsciiString[] texts = new AsciiString[32];
    private int count;

    RequestFields() {
        super(false, 1);
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        if (count + 2 > texts.length) {
            texts = Arrays.copyOf(texts, 2 * texts.length);
        }
        texts[count++] = AsciiString.of(name);
        texts[count++] = AsciiString.of(value);
        return this;
    }

    @Override
    public int size() {
        return count / 2;
    }

    @Override
    public boolean isEmpty() {
        return count == 0;
    }

    AsciiString name(int i) {
        return texts[2 * i];
    }

    AsciiString value(int i) {
        return texts[2 * i + 1];
    }
}
