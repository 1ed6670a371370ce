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
    private static final AsciiString[] STATUS = new AsciiString[1000];
    private static final Map<FieldName, AsciiString> NAMES = new EnumMap<>(FieldName.class);

    static {
        for (int i = 100; i < STATUS.length; i++) {
            STATUS[i] = AsciiString.cached(Integer.toString(i));
        }
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
        // the status follows "HTTP/1.1 "
        int status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0');
        List<AsciiString> texts = new ArrayList<>(32);
        int at = firstLine - from;
        while (bytes[at] != '\r') {
            at = field(bytes, at, texts);
        }
        AsciiString[] fields = texts.toArray(AsciiString[]::new);
        return new AnswerHead(status, ReadOnlyHttp2Headers.serverHeaders(false, STATUS[status], fields));
    }

    /** The trailers as headers. */
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

    private static int end(ByteBuf in, int firstLine) {
        int line = firstLine;
        while (in.getByte(line) != '\r') {
            line = in.indexOf(line, in.writerIndex(), (byte) '\n') + 1;
        }
        return line + 2;
    }

    /** Reads one field line; returns the start of the next one. */
    private static int field(byte[] bytes, int from, List<AsciiString> texts) {
        int colon = from;
        while (bytes[colon] != ':') {
            colon++;
        }
        int value = colon + 1;
        while (bytes[value] == ' ' || bytes[value] == '\t') {
            value++;
        }
        int next = value;
        while (bytes[next] != '\r') {
            next++;
        }
        FieldName known = FieldName.of(bytes, from, colon);
        if (known == null || !ofConnection(known)) {
            int end = next;
            while (end > value && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
                end--;
            }
            texts.add(known == null ? lower(bytes, from, colon) : lower(known));
            texts.add(new AsciiString(bytes, value, end - value, false));
        }
        return next + 2;
    }

    private static AsciiString lower(FieldName name) {
        return Objects.requireNonNull(NAMES.get(name));
    }

    private static AsciiString lower(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
                bytes[i] = (byte) (bytes[i] | 0x20);
            }
        }
        return new AsciiString(bytes, from, to - from, false);
    }

    /** RFC 9113 section 8.2.2. */
    private static boolean ofConnection(FieldName name) {
        return switch (name) {
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE -> true;
            default -> false;
        };
    }
}
