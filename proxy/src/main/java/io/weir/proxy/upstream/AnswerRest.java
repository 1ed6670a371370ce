package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rest of an answer of which the first bytes came from elsewhere, and which is requested from the origin: whether
 * what the origin sends continues that answer (RFC 9110 section 15.3.7.3), and which bytes of it are the rest. An entity
 * tag is taken for what it is worth: coding and length must be the same, too. Confined to the muxer that fetches.
 */
public final class AnswerRest {
    private static final String IDENTITY = "identity";

    private static final Pattern PART = Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

    /**
     * The answer that is to be continued.
     *
     * @param tag strong entity tag
     * @param coding its Content-Encoding
     * @param first position of its first byte in the whole: 0, or that of a part
     * @param end where it ends in the whole; -1: unknown
     * @param length of the whole; -1: unknown
     */
    public record Of(String tag, String coding, long first, long end, long length) {
        /**
         * Null if the rest of it cannot be requested.
         *
         * @param length of its body; -1: unknown
         */
        public static @Nullable Of answer(int status, FieldValues fields, long length) {
            String entity = fields.combined(FieldName.ETAG);
            if (entity == null || !entity.startsWith("\"")) {
                return null;
            }
            return switch (status) {
                case 200 -> new Of(entity, codingOf(fields), 0, length, length);
                case 206 -> part(entity, fields);
                default -> null;
            };
        }

        private static @Nullable Of part(String tag, FieldValues fields) {
            String range = fields.combined(FieldName.CONTENT_RANGE);
            String type = fields.combined(FieldName.CONTENT_TYPE);
            Matcher m = PART.matcher(range == null ? "" : range);
            boolean several = type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/byteranges");
            if (several || !m.matches()) {
                return null;
            }
            long length = m.group(3).equals("*") ? -1 : Long.parseLong(m.group(3));
            return new Of(tag, codingOf(fields), Long.parseLong(m.group(1)), Long.parseLong(m.group(2)) + 1, length);
        }
    }

    private final Of of;
    private final long start;
    private final long end;
    /** Where the origin's answer is to end. */
    private long last;
    /** Position in the answer of what comes next from the origin; -1: its head has not come. */
    private long at = -1;

    /**
     * @param start position of the rest
     * @param end where it ends; -1: with the answer
     */
    public AnswerRest(Of of, long start, long end) {
        this.of = of;
        this.start = start;
        this.end = end < 0 ? of.end() : end;
        this.last = this.end;
    }

    private static String codingOf(FieldValues fields) {
        String coding = fields.combined(FieldName.CONTENT_ENCODING);
        return coding == null ? IDENTITY : coding;
    }

    /** For If-Range. */
    public String tag() {
        return of.tag();
    }

    /** For Range. */
    public String range() {
        return "bytes=" + start + "-" + (end < 0 ? "" : end - 1);
    }

    /** For Accept-Encoding: of several codings the origin is not to choose another one than that of the answer. */
    public String coding() {
        return of.coding();
    }

    /** Whether the origin's answer contains the rest: as a part, or as a part of the whole. */
    public boolean begins(ResponseHead head) {
        Fields fields = head.fields();
        if (!of.tag().equals(fields.combined(FieldName.ETAG))) {
            return false;
        }
        return switch (head.status()) {
            case 206 -> part(head);
            case 200 -> whole(head);
            default -> false;
        };
    }

    /** A 206 need not repeat the coding (RFC 9110 section 15.3.7). */
    private boolean part(ResponseHead head) {
        Fields fields = head.fields();
        Of got = Of.answer(206, fields, -1);
        if (got == null || got.first() != start || !same(got.length(), of.length())) {
            return false;
        }
        at = start;
        last = got.end();
        return (!fields.has(FieldName.CONTENT_ENCODING) || got.coding().equals(of.coding()))
                && (end < 0 ? same(got.end(), got.length()) : got.end() == end)
                && same(head.contentLength(), got.end() - start);
    }

    /** Whether two lengths, if they are known, are the same. */
    private static boolean same(long one, long other) {
        return one < 0 || other < 0 || one == other;
    }

    private boolean whole(ResponseHead head) {
        at = 0;
        last = of.length();
        return codingOf(head.fields()).equals(of.coding()) && same(head.contentLength(), of.length());
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

    /** Whether the origin's answer had the length that it is to have. */
    public boolean complete() {
        return last < 0 ? at >= start : at == last;
    }

    /** Whether all bytes have come, although the end of the origin's answer has not. */
    public boolean arrived() {
        return last >= 0 && at == last;
    }
}
