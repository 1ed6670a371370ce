package io.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * The head of a response. The decoder's own head is confined to its thread and valid until the decoder's next call of
 * decode or reset; {@link #copy()} creates one that owns its memory.
 */
public final class ResponseHead extends MessageHead {
    int status;
    private int reasonStart;
    private int reasonEnd;
    private @Nullable String reason;

    ResponseHead(Fields fields) {
        super(fields);
    }

    void clear() {
        status = 0;
        clearFraming();
        reason(0, 0);
    }

    void reason(int start, int end) {
        reasonStart = start;
        reasonEnd = end;
        reason = null;
    }

    /** The status, 100 to 999. */
    public int status() {
        return status;
    }

    /** Whether another response to the same request follows: 1xx without 101 (RFC 9110 15.2). */
    public boolean interim() {
        return status < 200 && status != 101;
    }

    /** The reason phrase as sent, possibly empty. */
    public String reason() {
        String text = reason;
        if (text == null) {
            String known = Reason.of(status);
            boolean usual = Ascii.same(known, fields.bytes(), reasonStart, reasonEnd);
            reason = text = usual ? known : Ascii.string(fields.bytes(), reasonStart, reasonEnd);
        }
        return text;
    }

    /**
     * Marks the head as received in HTTP/2 frames and decoded from its translation into HTTP/1 syntax (RFC 9113 8.3.2).
     */
    public void overHttp2() {
        version = Version.HTTP_2;
    }

    /** A copy of the head in its own memory; its fields are compact. */
    public ResponseHead copy() {
        ResponseHead copy = new ResponseHead(fields.copy());
        copy.status = status;
        copy.copyFraming(this);
        copy.reason = reason();
        return copy;
    }

    @Override
    public String toString() {
        return version.text() + ' ' + status + ' ' + reason() + '\n' + fields;
    }
}
