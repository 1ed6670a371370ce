package io.weir.wire.invoke;

import io.netty.buffer.ByteBuf;
import io.weir.base.Fence;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * The head of a CALL frame, before its arguments. Immutable.
 *
 * @param origin random number of the caller's process, whose requests are numbered from 1
 * @param request the request's number, the same if it is sent again
 * @param settled requests of the origin below this number have their responses and will not be sent again
 * @param resent whether it may have been sent before
 * @param millis time that the caller will wait
 * @param service the name under which the service is bound
 * @param fence of the service's owner, as known to the caller
 * @param type the interface's hash
 * @param method the method's number
 */
public record CallHead(
        long origin,
        long request,
        long settled,
        boolean resent,
        int millis,
        String service,
        Fence fence,
        long type,
        long method) {
    private static final int LONGEST_NAME = 1024;

    /** Upper bound of its size in bytes, including the frame's own head. */
    public static final int MOST = LONGEST_NAME + 100;

    /** Writes the head as {@code docs/wire.md} specifies, before the arguments; at most {@link #MOST} bytes. */
    public void write(ByteBuf out) {
        out.writeLong(origin).writeLong(request).writeLong(settled);
        out.writeByte(resent ? 1 : 0).writeInt(millis);
        WireWriter.text(out, service);
        fence(out, fence);
        out.writeLong(type).writeLong(method);
    }

    /**
     * Reads a head, leaving the arguments.
     *
     * @throws WireFault if the bytes are malformed
     */
    public static CallHead read(ByteBuf in) {
        return new CallHead(
                WireReader.i64(in),
                WireReader.i64(in),
                WireReader.i64(in),
                (WireReader.u8(in) & 1) != 0,
                WireReader.i32(in),
                WireReader.text(in, LONGEST_NAME),
                fence(in),
                WireReader.i64(in),
                WireReader.i64(in));
    }

    /** Writes a fence, 16 bytes. */
    public static void fence(ByteBuf out, Fence fence) {
        out.writeLong(fence.epoch()).writeLong(fence.counter());
    }

    /**
     * Reads a fence.
     *
     * @throws WireFault if it is negative or truncated
     */
    public static Fence fence(ByteBuf in) {
        long epoch = WireReader.i64(in);
        long counter = WireReader.i64(in);
        if (epoch < 0 || counter < 0) {
            throw new WireFault(WireFault.Reason.MALFORMED, "a negative fence");
        }
        return new Fence(epoch, counter);
    }
}
