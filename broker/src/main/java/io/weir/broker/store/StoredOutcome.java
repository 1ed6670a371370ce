package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BranchId;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * How an operator ended a prepared transaction branch, kept until its transaction manager has heard of it. Immutable.
 *
 * @param user who prepared the branch
 * @param time when it was ended, in milliseconds since 1970
 * @param sent messages that it sent
 * @param received messages that it consumed
 */
public record StoredOutcome(BranchId id, String user, long time, boolean committed, int sent, int received) {
    void write(ByteBuf out) {
        id.write(out);
        WireWriter.text(out, user);
        out.writeLong(time).writeBoolean(committed).writeInt(sent).writeInt(received);
    }

    static StoredOutcome read(ByteBuf in) {
        return new StoredOutcome(
                BranchId.read(in),
                WireReader.text(in),
                WireReader.i64(in),
                in.readBoolean(),
                WireReader.i32(in),
                WireReader.i32(in));
    }
}
