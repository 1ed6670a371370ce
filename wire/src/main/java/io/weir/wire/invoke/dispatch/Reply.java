package io.weir.wire.invoke.dispatch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Fence;
import io.weir.wire.WireConnection;
import io.weir.wire.WireWriter;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.invoke.InvokeStats;
import org.jspecify.annotations.Nullable;

/** The response to a call: a frame type and the bytes after the request's number. Immutable; its bytes are unpooled. */
final class Reply {
    private static final int LONGEST_TEXT = 1000;

    private final InvokeFrame type;
    private final ByteBuf bytes;
    private final String outcome;

    private Reply(InvokeFrame type, ByteBuf bytes, String outcome) {
        this.type = type;
        this.bytes = bytes;
        this.outcome = outcome;
    }

    static Reply result(ByteBuf value) {
        return new Reply(InvokeFrame.RESULT, value, InvokeStats.ANSWERED);
    }

    static Reply failed(InvocationFault.Code code, String text) {
        return failed(code, 0, text);
    }

    /** A failure, with the index of a declared exception. */
    static Reply failed(InvocationFault.Code code, int thrown, String text) {
        ByteBuf out = Unpooled.buffer(64).writeByte(code.number());
        WireWriter.varint(out, thrown);
        WireWriter.text(out, text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text);
        return new Reply(InvokeFrame.FAILED, out, thrown > 0 ? InvokeStats.THREW : code.label());
    }

    static Reply wrongOwner(@Nullable String address, Fence fence) {
        ByteBuf out = Unpooled.buffer(64);
        WireWriter.optionalText(out, address);
        CallHead.fence(out, fence);
        return new Reply(InvokeFrame.WRONG_OWNER, out, InvokeStats.WRONG_OWNER);
    }

    /** The label in counters. */
    String outcome() {
        return outcome;
    }

    int size() {
        return bytes.readableBytes();
    }

    void send(WireConnection to, long request) {
        ByteBuf out = to.newFrame(type.code(), 0, Long.BYTES + size());
        out.writeLong(request);
        out.writeBytes(ByteBufUtil.getBytes(bytes, bytes.readerIndex(), size(), false));
        to.send(out);
    }
}
