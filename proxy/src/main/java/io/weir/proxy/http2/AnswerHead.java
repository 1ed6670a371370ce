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
 * An answer's head as it goes into frames, made from the HTTP/1 syntax in which Weir encodes and stores heads. Immutable.
 *
 * @param status 100 to 999
 * @param headers the status as a pseudo-field and all fields that HTTP/2 knows, with names in lower case
 */
public record AnswerHead(int status, Http2Headers headers) {
    /** Of a head with which most answers begin. */
    private static final int USUAL_BYTES = 512;

    private static final Map<FieldName, AsciiString> NAMES = new EnumMap<>(FieldName.class);

    static {
        for (FieldName name : FieldName.values()) {
            NAMES.put(name, AsciiString.cached(name.lower()));
        }
    }

    /** Takes a head, complete and as Weir's encoder writes it, up to and with its empty line. */
    public static AnswerHead read(ByteBuf in) {
        byte[] bytes = new byte[Math.min(in.readableBytes(), USUAL_BYTES)];
        in.getBytes(in.readerIndex(), bytes);
        int end = end(bytes);
        while (end < 0) {
            if (bytes.length == in.readableBytes()) {
                throw new IllegalArgumentException("a head without an end");
            }
            bytes = new byte[Math.min(in.readableBytes(), 4 * bytes.length)];
            in.getBytes(in.readerIndex(), bytes);
            end = end(bytes);
        }
        in.skipBytes(end);
        AnswerBlock block = AnswerBlock.of(bytes, end);
        return new AnswerHead(block.code(), block);
    }

    /** Where the head ends; negative: not within these bytes. Searched on the heap, byte by byte of a buffer costs more. */
    private static int end(byte[] bytes) {
        for (int i = 2; i < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    /** Trailers; null when there are none to send. */
    public static Http2Headers trailers(Fields fields) {
        List<AsciiString> texts = new ArrayList<>(2 * fields.size());
        for (int i = 0; i < fields.size(); i++) {
            FieldName known = fields.id(i);
            if (known == null || !ofConnection(known)) {
                texts.add(known == null ? AsciiString.of(fields.name(i).toLowerCase(Locale.ROOT)) : lower(known));
                texts.add(new AsciiString(
                        fields.bytes(), fields.valueStart(i), fields.valueEnd(i) - fields.valueStart(i), true));
            }
        }
        return ReadOnlyHttp2Headers.trailers(false, texts.toArray(AsciiString[]::new));
    }

    private static AsciiString lower(FieldName name) {
        return Objects.requireNonNull(NAMES.get(name));
    }

    /** RFC 9113 section 8.2.2. */
    static boolean ofConnection(FieldName name) {
        return switch (name) {
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE -> true;
            default -> false;
        };
    }
}
