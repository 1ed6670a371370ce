package io.weir.wire.invoke;

import io.netty.buffer.ByteBuf;
import io.weir.base.Fence;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * What a CALL says before its arguments. Immutable.
 *
 * @param origin drawn at random by the caller's process: its requests are numbered from 1
 * @param request the number of this one, the same when it is sent again
 * @param settled requests of the origin below this one have their answers and will not come again
 * @param resent whether it may have been sent before
 * @param millis that the caller will wait
 * @param service the name it is bound under
 * @param fence of the service's owner, as the caller knows it
 * @param type the interface's hash
 * @param method its number
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

    /** More bytes than it ever takes, the frame's own head included. */
    public static final int MOST = LONGEST_NAME + 100;

    /** Writes it as {@code docs/wire.md} has it, before the arguments; at most {@link #MOST} bytes. */
    public void write(ByteBuf out) {
        out.writeLong(origin).writeLong(request).writeLong(settled);
        out.writeByte(resent ? 1 : 0).writeInt(millis);
        WireWriter.text(out, service);
        fence(out, fence);
        out.writeLong(type).writeLong(method);
    }

    /**
     * Reads one and leaves the arguments.
     *
     * @throws WireFault when the bytes are none: the frame is malformed
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
     * @throws WireFault when it is negative or cut off
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
