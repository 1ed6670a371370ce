package io.weir.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decodes request heads; see {@link HeadDecoder} for confinement, memory and calling protocol. */
public final class RequestDecoder extends HeadDecoder {
    private final RequestHead head = new RequestHead(fields);
    private final FramingFields framing = new FramingFields();

    /** A decoder with its own memory. */
    public RequestDecoder(DecoderLimits limits) {
        this(() -> limits, new HeadScratch(1));
    }

    /** A decoder that borrows from its event loop's scratch memory, with limits that may change between messages. */
    public RequestDecoder(Supplier<DecoderLimits> limits, HeadScratch scratch) {
        super(Side.REQUEST, limits, scratch);
    }

    /** The head, after {@link Progress#HEAD}; valid until the next call of decode or reset. */
    public RequestHead head() {
        return head;
    }

    @Override
    Fault startLineTooLong() {
        return Fault.REQUEST_LINE_TOO_LONG;
    }

    @Override
    void clearHead() {
        head.clear();
    }

    @Override
    @Nullable
    Fault parseStartLine(byte[] bytes, int from, int to, DecoderLimits bounds) {
        int methodEnd = Ascii.tokenEnd(bytes, from, to);
        if (methodEnd == to) return Fault.REQUEST_LINE_SPACING;
        if (bytes[methodEnd] != ' ' || methodEnd == from) {
            return Ascii.isBlank(bytes[methodEnd]) ? Fault.REQUEST_LINE_SPACING : Fault.METHOD_INVALID;
        }
        if (methodEnd - from > bounds.maxMethod()) return Fault.METHOD_TOO_LONG;
        int targetStart = methodEnd + 1;
        int targetEnd = Ascii.targetEnd(bytes, targetStart, to);
        if (targetEnd == targetStart) return targetEnd == to ? Fault.REQUEST_LINE_SPACING : badTarget(bytes[targetEnd]);
        if (targetEnd == to) return Fault.VERSION_MISSING;
        if (bytes[targetEnd] != ' ') return badTarget(bytes[targetEnd]);
        Version version = StartLine.version(bytes, targetEnd + 1, to);
        if (version == null) return badVersion(bytes, targetEnd + 1, to);
        head.version = version;
        head.method(Method.of(bytes, from, methodEnd), from, methodEnd);
        return RequestTarget.parse(head, bytes, targetStart, targetEnd);
    }

    private static Fault badTarget(byte b) {
        if (b == '#') return Fault.TARGET_FRAGMENT;
        return b < 0 ? Fault.TARGET_CHARACTER : Fault.REQUEST_LINE_SPACING;
    }

    private static Fault badVersion(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) if (Ascii.isBlank(bytes[i])) return Fault.REQUEST_LINE_SPACING;
        return from == to ? Fault.REQUEST_LINE_SPACING : StartLine.badVersion(bytes, from, to);
    }

    @Override
    @Nullable
    Fault finish() {
        Fault fault = framing.check(fields, head.version);
        if (fault != null) return fault;
        head.contentLength = framing.length();
        head.keepAlive = framing.keepAlive();
        head.framing = framing.chunked() ? Framing.CHUNKED : framing.length() >= 0 ? Framing.LENGTH : Framing.NONE;
        boolean bodyless = head.methodId == Method.CONNECT || head.methodId == Method.TRACE;
        if (bodyless && (framing.chunked() || framing.length() > 0)) return Fault.BODY_NOT_ALLOWED;
        return RequestTarget.checkHost(head);
    }
}
