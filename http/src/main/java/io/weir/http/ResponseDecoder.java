package io.weir.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decodes response heads; see {@link HeadDecoder} for confinement, memory and calling protocol. Whether a body follows
 * depends on the request: set its method with {@link #expect} before the head is complete.
 */
public final class ResponseDecoder extends HeadDecoder {
    private final ResponseHead head = new ResponseHead(fields);
    private final FramingFields framing = new FramingFields();
    private Method requestMethod = Method.GET;

    /** A decoder with memory of its own. */
    public ResponseDecoder(DecoderLimits limits) {
        this(() -> limits, new HeadScratch(1));
    }

    /** A decoder that borrows from its event loop's scratch, with limits that may change between messages. */
    public ResponseDecoder(Supplier<DecoderLimits> limits, HeadScratch scratch) {
        super(Side.RESPONSE, limits, scratch);
    }

    /** Sets the method of the request that the next heads respond to; initially GET. */
    public void expect(Method method) {
        requestMethod = method;
    }

    /** The head, after {@link Progress#HEAD}; valid until the next call of decode or reset. */
    public ResponseHead head() {
        return head;
    }

    @Override
    Fault startLineTooLong() {
        return Fault.STATUS_LINE_TOO_LONG;
    }

    @Override
    void clearHead() {
        head.clear();
    }

    @Override
    @Nullable
    Fault parseStartLine(byte[] bytes, int from, int to, DecoderLimits bounds) {
        int versionEnd = from;
        while (versionEnd < to && !Ascii.isBlank(bytes[versionEnd])) versionEnd++;
        Version version = StartLine.version(bytes, from, versionEnd);
        if (version == null) return StartLine.badVersion(bytes, from, versionEnd);
        int status = versionEnd + 1;
        if (status >= to || bytes[versionEnd] != ' ' || Ascii.isBlank(bytes[status]))
            return Fault.STATUS_LINE_MALFORMED;
        int statusEnd = status;
        while (statusEnd < to && Ascii.isDigit(bytes[statusEnd])) statusEnd++;
        if (statusEnd - status != 3 || bytes[status] == '0') return Fault.STATUS_INVALID;
        if (statusEnd < to && bytes[statusEnd] != ' ') {
            return bytes[statusEnd] == '\t' ? Fault.STATUS_LINE_MALFORMED : Fault.STATUS_INVALID;
        }
        head.version = version;
        head.status = (bytes[status] - '0') * 100 + (bytes[status + 1] - '0') * 10 + bytes[status + 2] - '0';
        head.reason(Math.min(statusEnd + 1, to), to);
        return null;
    }

    @Override
    @Nullable
    Fault finish() {
        Fault fault = framing.check(fields, head.version);
        if (fault != null) return fault;
        head.contentLength = framing.length();
        head.framing = framing();
        head.keepAlive = framing.keepAlive() && head.framing != Framing.UNTIL_CLOSE && !contradicts();
        return null;
    }

    private Framing framing() {
        int status = head.status;
        if (requestMethod == Method.HEAD || status < 200 || status == 204 || status == 304) return Framing.NONE;
        if (requestMethod == Method.CONNECT && status < 300) return Framing.NONE;
        if (framing.chunked()) return Framing.CHUNKED;
        return framing.length() >= 0 ? Framing.LENGTH : Framing.UNTIL_CLOSE;
    }

    // a body declared where none is allowed might be sent anyway: this connection is not reused
    private boolean contradicts() {
        return (head.status < 200 || head.status == 204) && (framing.chunked() || framing.length() > 0);
    }
}
