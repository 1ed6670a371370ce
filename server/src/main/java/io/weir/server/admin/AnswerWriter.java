package io.weir.server.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Clock;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.semantics.HttpDate;
import java.nio.charset.StandardCharsets;

/** Encodes answers with the fields that are common to all. Immutable, shared. */
final class AnswerWriter {
    private static final String CONTENT_SECURITY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Clock clock;

    AnswerWriter(Clock clock) {
        this.clock = clock;
    }

    /**
     * The encoded answer; the caller owns the buffer.
     *
     * @param head whether the request is HEAD: sends Content-Length, but no body
     * @param keep whether the connection is kept open
     */
    ByteBuf encode(ByteBufAllocator allocator, AdminAnswer answer, boolean head, boolean keep) {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        ByteBuf out = allocator.buffer(body.length + 1024);
        try {
            write(out, answer, body, keep);
            if (!head) {
                out.writeBytes(body);
            }
            return out;
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    private void write(ByteBuf out, AdminAnswer answer, byte[] body, boolean keep) {
        Encoder.statusLine(out, Version.HTTP_1_1, answer.status());
        Encoder.field(out, FieldName.DATE, HttpDate.format(Math.floorDiv(clock.millis(), 1000L)));
        if (answer.status() != 204) {
            Encoder.field(out, FieldName.CONTENT_LENGTH, body.length);
        }
        if (!answer.contentType().isEmpty()) {
            Encoder.field(out, FieldName.CONTENT_TYPE, answer.contentType());
        }
        if (!keep) {
            Encoder.field(out, FieldName.CONNECTION, "close");
        }
        security(out);
        Encoder.fields(out, more(answer));
        Encoder.endOfHead(out);
    }

    private static void security(ByteBuf out) {
        Encoder.field(out, FieldName.CACHE_CONTROL, "no-store");
        Encoder.field(out, FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
        Encoder.field(out, FieldName.X_FRAME_OPTIONS, "DENY");
        Encoder.field(out, FieldName.CONTENT_SECURITY_POLICY, CONTENT_SECURITY);
        Encoder.field(out, FieldName.REFERRER_POLICY, "no-referrer");
        Fields policy = new Fields();
        policy.add("Cross-Origin-Resource-Policy", "same-origin");
        Encoder.fields(out, policy);
    }

    private static Fields more(AdminAnswer answer) {
        Fields fields = new Fields();
        for (AdminAnswer.Field field : answer.fields()) {
            fields.add(field.name(), field.value());
        }
        return fields;
    }
}
