package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.util.AsciiString;
import io.weir.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * A head as a header block, made in one pass from its HTTP/1 syntax: literal fields without indexing (RFC 7541 section
 * 6.2.2), names from the static table where it has them. Nothing of it depends on the connection, and nothing is kept in
 * the client's table: looking fields up there cost more than a whole hit. As a list of fields it has its status only.
 * Immutable.
 */
final class AnswerBlock extends DefaultHttp2Headers {
    /** Names of the static table from index 15 on (RFC 7541 appendix A). */
    private static final String[] STATIC_NAMES = {
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "accept-ranges",
        "accept",
        "access-control-allow-origin",
        "age",
        "allow",
        "authorization",
        "cache-control",
        "content-disposition",
        "content-encoding",
        "content-language",
        "content-length",
        "content-location",
        "content-range",
        "content-type",
        "cookie",
        "date",
        "etag",
        "expect",
        "expires",
        "from",
        "host",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "last-modified",
        "link",
        "location",
        "max-forwards",
        "proxy-authenticate",
        "proxy-authorization",
        "range",
        "referer",
        "refresh",
        "retry-after",
        "server",
        "set-cookie",
        "strict-transport-security",
        "transfer-encoding",
        "user-agent",
        "vary",
        "via",
        "www-authenticate"
    };

    private static final int LITERAL = 0x00;
    /** A cookie in a table on the way could be guessed by the sizes of what follows (RFC 7541 section 7.1.3). */
    private static final int NEVER_INDEXED = 0x10;

    private static final int INDEXED = 0x80;
    private static final int STATUS_NAME = 8;
    /** Status codes that the static table has, from index 8 on. */
    private static final int[] STATIC_STATUS = {200, 204, 206, 304, 400, 404, 500};

    private static final AsciiString[] STATUS = new AsciiString[1000];
    private static final byte[][] STATUS_FIELD = new byte[1000][];
    /** How a field with a known name begins, up to its value. */
    private static final Map<FieldName, byte[]> NAMES = new EnumMap<>(FieldName.class);

    /** A line grows by so much at most: lengths of name and value in as many bytes as they need, and what kind it is. */
    private static final int MOST_GROWTH = 8;

    static {
        for (int i = 100; i < STATUS.length; i++) {
            STATUS[i] = AsciiString.cached(Integer.toString(i));
            STATUS_FIELD[i] = statusField(i);
        }
        for (FieldName name : FieldName.values()) {
            NAMES.put(name, start(name.lower(), name == FieldName.SET_COOKIE ? NEVER_INDEXED : LITERAL));
        }
    }

    private final int code;
    private final byte[] block;
    private final int length;

    private AnswerBlock(int code, byte[] block, int length) {
        super(false, 1);
        this.code = code;
        this.block = block;
        this.length = length;
    }

    /**
     * Of a head as Weir's encoder writes it.
     *
     * @param head from its status line on
     * @param end behind its empty line
     */
    static AnswerBlock of(byte[] head, int end) {
        // HTTP/1.1 and a blank stand before the status
        int code = (head[9] - '0') * 100 + (head[10] - '0') * 10 + (head[11] - '0');
        int lines = 0;
        int fields = 0;
        for (int i = 0; i < end; i++) {
            if (head[i] == '\n' && lines++ == 0) {
                fields = i + 1;
            }
        }
        byte[] out = new byte[end + MOST_GROWTH * lines];
        byte[] status = STATUS_FIELD[code];
        System.arraycopy(status, 0, out, 0, status.length);
        int to = status.length;
        int at = fields;
        while (head[at] != '\r') {
            int colon = at;
            while (head[colon] != ':') {
                colon++;
            }
            int value = colon + 1;
            while (head[value] == ' ' || head[value] == '\t') {
                value++;
            }
            int next = value;
            while (head[next] != '\r') {
                next++;
            }
            FieldName known = FieldName.of(head, at, colon);
            if (known == null || !AnswerHead.ofConnection(known)) {
                int last = next;
                while (last > value && (head[last - 1] == ' ' || head[last - 1] == '\t')) {
                    last--;
                }
                to = known == null ? name(head, at, colon, out, to) : name(known, out, to);
                to = number(last - value, out, to);
                System.arraycopy(head, value, out, to, last - value);
                to += last - value;
            }
            at = next + 2;
        }
        return new AnswerBlock(code, out, to);
    }

    private static int name(FieldName known, byte[] out, int at) {
        byte[] start = Objects.requireNonNull(NAMES.get(known));
        System.arraycopy(start, 0, out, at, start.length);
        return at + start.length;
    }

    private static int name(byte[] head, int from, int to, byte[] out, int at) {
        out[at] = LITERAL;
        int next = number(to - from, out, at + 1);
        for (int i = from; i < to; i++) {
            byte b = head[i];
            out[next++] = b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
        }
        return next;
    }

    /** A length, in plain octets and not in Huffman's code (RFC 7541 sections 5.1 and 5.2). */
    private static int number(int n, byte[] out, int at) {
        if (n < 0x7f) {
            out[at] = (byte) n;
            return at + 1;
        }
        out[at] = 0x7f;
        int rest = n - 0x7f;
        int next = at + 1;
        while (rest >= 0x80) {
            out[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[next] = (byte) rest;
        return next + 1;
    }

    private static byte[] start(String name, int kind) {
        for (int i = 0; i < STATIC_NAMES.length; i++) {
            if (STATIC_NAMES[i].equals(name)) {
                return new byte[] {(byte) (kind | 0x0f), (byte) i};
            }
        }
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] start = new byte[text.length + MOST_GROWTH];
        start[0] = (byte) kind;
        int at = number(text.length, start, 1);
        System.arraycopy(text, 0, start, at, text.length);
        return Arrays.copyOf(start, at + text.length);
    }

    private static byte[] statusField(int code) {
        for (int i = 0; i < STATIC_STATUS.length; i++) {
            if (STATIC_STATUS[i] == code) {
                return new byte[] {(byte) (INDEXED | (STATUS_NAME + i))};
            }
        }
        byte[] digits = Integer.toString(code).getBytes(StandardCharsets.US_ASCII);
        return new byte[] {LITERAL | STATUS_NAME, (byte) digits.length, digits[0], digits[1], digits[2]};
    }

    int code() {
        return code;
    }

    /** The block's bytes. */
    void write(ByteBuf out) {
        out.writeBytes(block, 0, length);
    }

    @Override
    public CharSequence status() {
        return STATUS[code];
    }
}
