package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the trailer section after the last chunk (RFC 9112 7.1.2). Created when a body reaches it, confined to its
 * {@link BodyDecoder}. Fields that frame or route a message are rejected in it (RFC 9110 6.5.1).
 */
final class TrailerSection {
    private final Fields fields = new Fields();
    private final LineReader lines = new LineReader(fields);
    private @Nullable Fault fault;

    Fields fields() {
        return fields;
    }

    Fault fault() {
        return Objects.requireNonNull(fault);
    }

    /** Consumes input up to the empty line that ends the body. */
    Progress read(ByteBuf in, DecoderLimits limits) {
        while (true) {
            int found = lines.next(limits.maxTrailerBytes() - 1, Fault.TRAILERS_TOO_LARGE);
            if (found == LineReader.MORE) {
                if (!lines.fill(in)) return Progress.MORE;
                continue;
            }
            boolean last = found == LineReader.LINE && lines.lineStart() == lines.lineEnd();
            fault = found == LineReader.BAD ? lines.fault() : last ? null : field(limits);
            if (!last && fault == null) continue;
            lines.unread(in);
            return last ? Progress.HEAD : Progress.FAULT;
        }
    }

    private @Nullable Fault field(DecoderLimits limits) {
        if (fields.size() == limits.maxTrailerCount()) return Fault.TRAILERS_TOO_MANY;
        Fault wrong = FieldLine.parse(fields, lines.lineStart(), lines.lineEnd());
        if (wrong != null) return wrong;
        FieldName id = fields.id(fields.size() - 1);
        return id != null && forbidden(id) ? Fault.TRAILER_FORBIDDEN : null;
    }

    private static boolean forbidden(FieldName id) {
        return switch (id) {
            case CONTENT_LENGTH, TRANSFER_ENCODING, HOST, CONNECTION, TRAILER, TE, UPGRADE -> true;
            default -> false;
        };
    }
}
