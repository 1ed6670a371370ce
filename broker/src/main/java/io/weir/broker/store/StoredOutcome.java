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
 */
public record StoredOutcome(BranchId id, String user, long time, boolean committed) {
    void write(ByteBuf out) {
        id.write(out);
        WireWriter.text(out, user);
        out.writeLong(time).writeBoolean(committed);
    }

    static StoredOutcome read(ByteBuf in) {
        return new StoredOutcome(BranchId.read(in), WireReader.text(in), WireReader.i64(in), in.readBoolean());
    }
}
