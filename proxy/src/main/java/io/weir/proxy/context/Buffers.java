package io.weir.proxy.context;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.regex.Pattern;

/** Operations on buffers and failures that both sides of the proxy need. Stateless. */
public final class Buffers {
    /** The prefix of messages of native transports: {@code finishConnect(..) failed with error(-111): }. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed[^:]*: ");

    private Buffers() {}

    /** One buffer with the unread bytes of both, in order; takes ownership of both. */
    public static ByteBuf join(ByteBufAllocator allocator, ByteBuf first, ByteBuf second) {
        if (!first.isReadable()) {
            first.release();
            return second;
        }
        int more = second.readableBytes();
        if (first.refCnt() == 1 && !first.isReadOnly() && first.maxWritableBytes() >= more && first.isWritable(more)) {
            first.writeBytes(second);
            second.release();
            return first;
        }
        ByteBuf joined = allocator.ioBuffer(Math.max(first.readableBytes() + more, 2 * first.readableBytes()));
        joined.writeBytes(first).writeBytes(second);
        first.release();
        second.release();
        return joined;
    }

    /** A failure in a few words, without a stack trace. */
    public static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                : SYSTEM_CALL.matcher(message).replaceFirst("");
    }
}
