package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.caching.Validators;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import org.jspecify.annotations.Nullable;

/** A request's head as it is written for an origin, or for another member. Made for one fetch; confined to its muxer. */
public abstract class WrittenHead implements FetchRequest.HeadWriter {
    /** Fields of the connection, and those that describe the message on it: written anew for each. */
    protected static final FieldNames CONNECTION = FieldNames.of(
            FieldName.HOST,
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TE,
            FieldName.TRANSFER_ENCODING,
            FieldName.CONTENT_LENGTH,
            FieldName.UPGRADE,
            FieldName.HTTP2_SETTINGS);

    /** The client's preconditions that a fetch for the store never forwards. */
    protected static final FieldNames PRECONDITIONS =
            FieldNames.of(FieldName.IF_MATCH, FieldName.IF_UNMODIFIED_SINCE, FieldName.IF_RANGE, FieldName.RANGE);

    private static final int HEAD_BYTES = 1024;

    private final ByteBufAllocator allocator;
    /** Whether the head that was written last may be answered 304. */
    protected boolean conditional;

    protected WrittenHead(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Writes it. */
    protected abstract void write(ByteBuf out, OriginKey origin, @Nullable Attempts attempts);

    @Override
    public final ByteBuf head(OriginKey origin, @Nullable Attempts attempts) {
        ByteBuf out = allocator.directBuffer(HEAD_BYTES);
        boolean done = false;
        try {
            conditional = false;
            write(out, origin, attempts);
            done = true;
            return out;
        } finally {
            if (!done) {
                out.release();
            }
        }
    }

    @Override
    public final boolean conditional() {
        return conditional;
    }

    /** Only these may be answered 304 (RFC 9110 section 15.4.5). */
    protected static boolean isCondition(@Nullable FieldName field) {
        return field == FieldName.IF_NONE_MATCH || field == FieldName.IF_MODIFIED_SINCE;
    }

    /** Writes the conditions of a stored answer. */
    protected final void validators(ByteBuf out, @Nullable Validators stored) {
        if (stored == null) {
            return;
        }
        conditional = conditional || stored.any();
        String tag = stored.ifNoneMatch();
        if (tag != null) {
            Encoder.field(out, FieldName.IF_NONE_MATCH, tag);
        }
        String since = stored.ifModifiedSince();
        if (since != null) {
            Encoder.field(out, FieldName.IF_MODIFIED_SINCE, since);
        }
    }
}
