package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BranchId;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A prepared transaction branch in the store: the messages that it adds, which are stored and not delivered, and the
 * copies that it removes, which are kept. Confined to the loop of its branch; at a start to the opening thread.
 */
public final class StoredBranch {
    private final BranchId id;
    private final String user;
    private final long time;
    final List<Stored> added = new ArrayList<>();
    final List<StoredCopy> removed = new ArrayList<>();
    long entry;

    StoredBranch(BranchId id, String user, long time) {
        this.id = id;
        this.user = user;
        this.time = time;
    }

    public BranchId id() {
        return id;
    }

    /** Who prepared it. */
    public String user() {
        return user;
    }

    /** When it was prepared, in milliseconds since 1970. */
    public long time() {
        return time;
    }

    /** Messages that it adds, also to destinations that are not configured. */
    public int sent() {
        return added.size();
    }

    /** Copies of messages that it removes. */
    public int received() {
        return removed.size();
    }

    /** As {@link StoreFormat#PREPARED} says. */
    void write(ByteBuf out) {
        id.write(out);
        WireWriter.text(out, user);
        out.writeLong(time);
        WireWriter.varint(out, added.size());
        for (Stored m : added) {
            out.writeLong(m.id);
        }
        WireWriter.varint(out, removed.size());
        for (StoredCopy c : removed) {
            out.writeLong(c.message().id).writeInt(c.index());
        }
    }

    /** A record that was read: the branch, and what it refers to. */
    static final class Found {
        final StoredBranch branch;
        final List<Long> added = new ArrayList<>();
        final List<Long> removedFrom = new ArrayList<>();
        final List<Integer> removedCopies = new ArrayList<>();

        Found(long entry, ByteBuf in) {
            branch = new StoredBranch(BranchId.read(in), WireReader.text(in), WireReader.i64(in));
            branch.entry = entry;
            for (int n = WireReader.count(in, Long.BYTES); n > 0; n--) {
                added.add(WireReader.i64(in));
            }
            for (int n = WireReader.count(in, Long.BYTES + Integer.BYTES); n > 0; n--) {
                removedFrom.add(WireReader.i64(in));
                removedCopies.add(WireReader.i32(in));
            }
        }
    }
}
