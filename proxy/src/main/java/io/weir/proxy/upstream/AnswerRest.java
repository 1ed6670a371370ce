package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * The rest of an answer of which the first bytes came from elsewhere, and which is requested from the origin: whether
 * what the origin sends continues that answer (RFC 9110 section 15.3.7.3), and which bytes of it are the rest. Confined
 * to the muxer that fetches.
 */
public final class AnswerRest {
    private final String tag;
    private final long start;
    private final long end;
    /** Position in the answer of what comes next from the origin; -1: its head has not come. */
    private long at = -1;

    /**
     * @param tag strong entity tag of the answer
     * @param start position of the rest
     * @param end where it ends; -1: unknown
     */
    public AnswerRest(String tag, long start, long end) {
        this.tag = tag;
        this.start = start;
        this.end = end;
    }

    /** The entity tag with which the rest of an answer can be requested; null: it has none. */
    public static @Nullable String tag(int status, FieldValues fields) {
        String entity = status == 200 ? fields.combined(FieldName.ETAG) : null;
        return entity != null && entity.startsWith("\"") ? entity : null;
    }

    /** For If-Range. */
    public String tag() {
        return tag;
    }

    /** For Range. */
    public String range() {
        return "bytes=" + start + "-" + (end < 0 ? "" : end - 1);
    }

    /** Whether the origin's answer contains the rest: as a part, or as a part of the whole. */
    public boolean begins(ResponseHead head) {
        String range = head.fields().combined(FieldName.CONTENT_RANGE);
        boolean part = head.status() == 206 && range != null && range.startsWith("bytes " + start + "-");
        if (!tag.equals(head.fields().combined(FieldName.ETAG)) || !(part || head.status() == 200)) {
            return false;
        }
        at = part ? start : 0;
        return true;
    }

    /** What belongs to the rest of a piece of the origin's body, which is taken over; null: nothing. */
    public @Nullable ByteBuf wanted(ByteBuf data) {
        int known = (int) Math.min(data.readableBytes(), Math.max(0, start - at));
        at += data.readableBytes();
        data.skipBytes(known);
        if (end >= 0 && at > end) {
            data.writerIndex((int) Math.max(data.readerIndex(), data.writerIndex() - (at - end)));
        }
        if (data.isReadable()) {
            return data;
        }
        data.release();
        return null;
    }

    /** Whether all of it has come. */
    public boolean complete() {
        return at >= Math.max(start, end);
    }
}
