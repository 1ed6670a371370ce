package io.weir.http.semantics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.http.semantics.Ranges.Span;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frame of a 206 with several parts, multipart/byteranges (RFC 9110 14.6): what to write before each part and behind
 * the last, and how long all of it is, so that the content can be gathered from the store without a copy. Immutable; lives
 * for one answer.
 */
public final class MultipartRanges {

    private final String boundary;
    private final List<byte[]> heads;
    private final byte[] end;
    private final long contentLength;

    /**
     * The frame for these parts.
     *
     * @param parts two or more spans of the representation, in the order to send
     * @param completeLength bytes of the whole representation
     * @param contentType of the representation, or null
     * @param boundary 1 to 70 token characters, chosen at random: they must not occur in the content
     */
    public MultipartRanges(List<Span> parts, long completeLength, @Nullable String contentType, String boundary) {
        if (!FieldScanner.isToken(boundary) || boundary.length() > 70) {
            throw new IllegalArgumentException("boundary is no token of up to 70 characters");
        }
        this.boundary = boundary;
        heads = new ArrayList<>(parts.size());
        end = ("\r\n--" + boundary + "--\r\n").getBytes(ISO_8859_1);
        long length = end.length;
        for (Span part : parts) {
            byte[] head = head(part, completeLength, contentType, heads.isEmpty());
            heads.add(head);
            length += head.length + part.length();
        }
        contentLength = length;
    }

    private byte[] head(Span part, long completeLength, @Nullable String contentType, boolean first) {
        String type = contentType == null ? "" : "Content-Type: " + contentType + "\r\n";
        String range = "Content-Range: " + part.contentRange(completeLength) + "\r\n\r\n";
        return ((first ? "--" : "\r\n--") + boundary + "\r\n" + type + range).getBytes(ISO_8859_1);
    }

    /** The Content-Type of the answer. */
    public String contentType() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /** Bytes of the whole content: the Content-Length of the answer. */
    public long contentLength() {
        return contentLength;
    }

    /** What stands before part {@code i}; the array is shared and not to be written. */
    public byte[] head(int i) {
        return heads.get(i);
    }

    /** What stands behind the last part; the array is shared and not to be written. */
    public byte[] end() {
        return end;
    }
}
