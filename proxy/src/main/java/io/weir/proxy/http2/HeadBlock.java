package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.EmptyHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.weir.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer's head as a header block (RFC 7541), made of the HTTP/1 syntax in which Weir encodes and stores heads: names
 * of the static table, values as they are, nothing in the dynamic table. That costs bytes on the wire, and saves the
 * processor's time for texts, their comparison and their compression (docs/benchmarks.md, The matrix). To Netty's codec
 * these are headers that show their status only; {@link BlockEncoder} writes the block. Immutable.
 */
final class HeadBlock extends EmptyHeaders<CharSequence, CharSequence, Http2Headers> implements Http2Headers {
    private static final int LITERAL = 0x00;
    /** A cookie in the peer's table could be guessed from the sizes of later messages (RFC 7541 section 7.1.3). */
    private static final int NEVER_INDEXED = 0x10;

    private static final int STATUS_INDEX = 8;

    /** What each known name is in a block: the form, and an index of the static table or the name itself. */
    private static final Map<FieldName, byte[]> NAMES = new EnumMap<>(FieldName.class);

    private static final AsciiString[] STATUS = new AsciiString[1000];

    /** RFC 7541 appendix A, from index 15. */
    private static final String[] TABLE = {
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

    static {
        for (int i = 100; i < STATUS.length; i++) {
            STATUS[i] = AsciiString.cached(Integer.toString(i));
        }
        for (FieldName name : FieldName.values()) {
            NAMES.put(name, named(name));
        }
    }

    private final int status;
    private byte[] block;
    private int length;

    private HeadBlock(int status, int bytes) {
        this.status = status;
        this.block = new byte[bytes];
    }

    /**
     * Converts a complete head, including its empty line. Fields of the connection are left out.
     *
     * @param head as Weir's encoder writes it; its names in lower case afterwards
     * @param fields where the status line ends
     */
    static HeadBlock of(byte[] head, int fields) {
        // the status follows "HTTP/1.1 "
        int status = (head[9] - '0') * 100 + (head[10] - '0') * 10 + (head[11] - '0');
        HeadBlock block = new HeadBlock(status, head.length);
        block.writeStatus();
        int at = fields;
        while (head[at] != '\r') {
            at = block.field(head, at);
        }
        return block;
    }

    private void writeStatus() {
        int indexed = switch (status) {
            case 200 -> 8;
            case 204 -> 9;
            case 206 -> 10;
            case 304 -> 11;
            case 400 -> 12;
            case 404 -> 13;
            case 500 -> 14;
            default -> 0;
        };
        if (indexed != 0) {
            block[length++] = (byte) (0x80 | indexed);
            return;
        }
        block[length++] = LITERAL | STATUS_INDEX;
        block[length++] = 3;
        block[length++] = (byte) ('0' + status / 100);
        block[length++] = (byte) ('0' + status / 10 % 10);
        block[length++] = (byte) ('0' + status % 10);
    }

    /** Converts one field line; returns the start of the next one. */
    private int field(byte[] bytes, int from) {
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
            // at most: the form, two lengths, name and value
            ensure(1 + 5 + (colon - from) + 5 + (end - value));
            name(known, bytes, from, colon);
            string(bytes, value, end);
        }
        return next + 2;
    }

    private void ensure(int more) {
        if (length + more > block.length) {
            block = Arrays.copyOf(block, Math.max(length + more, block.length + block.length / 2));
        }
    }

    private static byte[] named(FieldName name) {
        byte form = (byte) (name == FieldName.SET_COOKIE ? NEVER_INDEXED : LITERAL);
        int at = Arrays.asList(TABLE).indexOf(name.lower());
        if (at >= 0) {
            // the index is 15 and more: four bits full, and the rest
            return new byte[] {(byte) (form | 0x0F), (byte) at};
        }
        byte[] text = name.lower().getBytes(StandardCharsets.US_ASCII);
        byte[] block = new byte[2 + text.length];
        block[0] = form;
        block[1] = (byte) text.length;
        System.arraycopy(text, 0, block, 2, text.length);
        return block;
    }

    private void name(@Nullable FieldName known, byte[] bytes, int from, int to) {
        byte[] name = known == null ? null : NAMES.get(known);
        if (name != null) {
            System.arraycopy(name, 0, block, length, name.length);
            length += name.length;
            return;
        }
        block[length++] = LITERAL;
        for (int i = from; i < to; i++) {
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
                bytes[i] = (byte) (bytes[i] | 0x20);
            }
        }
        string(bytes, from, to);
    }

    /** A string that is not compressed (RFC 7541 section 5.2). */
    private void string(byte[] bytes, int from, int to) {
        int n = to - from;
        if (n < 0x7F) {
            block[length++] = (byte) n;
        } else {
            block[length++] = 0x7F;
            int rest = n - 0x7F;
            while (rest >= 0x80) {
                block[length++] = (byte) (0x80 | (rest & 0x7F));
                rest >>>= 7;
            }
            block[length++] = (byte) rest;
        }
        System.arraycopy(bytes, from, block, length, n);
        length += n;
    }

    /** RFC 9113 section 8.2.2. */
    static boolean ofConnection(FieldName name) {
        return switch (name) {
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE -> true;
            default -> false;
        };
    }

    void write(ByteBuf out) {
        out.writeBytes(block, 0, length);
    }

    int code() {
        return status;
    }

    @Override
    public CharSequence status() {
        return STATUS[status];
    }

    @Override
    public Iterator<CharSequence> valueIterator(CharSequence name) {
        throw opaque();
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
        throw opaque();
    }

    @Override
    public boolean contains(CharSequence name, CharSequence value, boolean caseInsensitive) {
        throw opaque();
    }

    @Override
    public Http2Headers method(CharSequence value) {
        throw opaque();
    }

    @Override
    public Http2Headers scheme(CharSequence value) {
        throw opaque();
    }

    @Override
    public Http2Headers authority(CharSequence value) {
        throw opaque();
    }

    @Override
    public Http2Headers path(CharSequence value) {
        throw opaque();
    }

    @Override
    public Http2Headers status(CharSequence value) {
        throw opaque();
    }

    @Override
    public @Nullable CharSequence method() {
        return null;
    }

    @Override
    public @Nullable CharSequence scheme() {
        return null;
    }

    @Override
    public @Nullable CharSequence authority() {
        return null;
    }

    @Override
    public @Nullable CharSequence path() {
        return null;
    }

    private static UnsupportedOperationException opaque() {
        return new UnsupportedOperationException("a block shows its status only");
    }
}
