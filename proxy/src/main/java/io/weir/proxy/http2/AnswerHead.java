package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * An answer's head for frames, converted from the HTTP/1 syntax in which Weir encodes and stores heads. Immutable.
 *
 * @param status 100 to 999
 * @param headers the status as a pseudo-field and all fields that HTTP/2 permits, with names in lower case
 */
public record AnswerHead(int status, Http2Headers headers) {
    private static final Map<FieldName, AsciiString> NAMES = new EnumMap<>(FieldName.class);

    static {
        for (FieldName name : FieldName.values()) {
            NAMES.put(name, AsciiString.cached(name.lower()));
        }
    }

    /** Reads a complete head as Weir's encoder writes it, including its empty line. */
    public static AnswerHead read(ByteBuf in) {
        int from = in.readerIndex();
        int firstLine = in.indexOf(from, in.writerIndex(), (byte) '\n') + 1;
        byte[] bytes = new byte[end(in, firstLine) - from];
        in.readBytes(bytes);
        HeadBlock block = HeadBlock.of(bytes, firstLine - from);
        return new AnswerHead(block.code(), block);
    }

    /** The trailers as headers. */
    public static Http2Headers trailers(Fields fields) {
        List<AsciiString> texts = new ArrayList<>(2 * fields.size());
        for (int i = 0; i < fields.size(); i++) {
            FieldName known = fields.id(i);
            if (known == null || !HeadBlock.ofConnection(known)) {
                texts.add(known == null ? AsciiString.of(fields.name(i).toLowerCase(Locale.ROOT)) : lower(known));
                texts.add(new AsciiString(
                        fields.bytes(), fields.valueStart(i), fields.valueEnd(i) - fields.valueStart(i), true));
            }
        }
        return ReadOnlyHttp2Headers.trailers(false, texts.toArray(AsciiString[]::new));
    }

    private static int end(ByteBuf in, int firstLine) {
        int line = firstLine;
        while (in.getByte(line) != '\r') {
            line = in.indexOf(line, in.writerIndex(), (byte) '\n') + 1;
        }
        return line + 2;
    }

    private static AsciiString lower(FieldName name) {
        return Objects.requireNonNull(NAMES.get(name));
    }
}
