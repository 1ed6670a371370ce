package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BranchId;
import io.weir.journal.Completion;
import io.weir.journal.Group;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages and removals that become durable together or not at all. Confined to the session's loop; used for one
 * commit. A copy can be in one transaction at a time.
 */
public final class StoreTransaction {
    private final MessageStore store;
    private final Group group;
    private final List<Stored> added = new ArrayList<>();
    private final List<StoredCopy> removed = new ArrayList<>();

    StoreTransaction(MessageStore store, Group group) {
        this.store = store;
        this.group = group;
    }

    /**
     * As {@link MessageStore#write}, with the commit.
     *
     * @param dispatched whether it may have been delivered before, elsewhere
     */
    public List<StoredCopy> write(List<QueueKey> queues, boolean dispatched, ByteBuf block) {
        List<StoredCopy> copies = store.add(group, queues, _ -> dispatched, block);
        added.add(copies.getFirst().message());
        return copies;
    }

    /** As {@link MessageStore#remove}, with the commit. */
    public void remove(StoredCopy copy) {
        removed.add(copy);
    }

    public boolean isEmpty() {
        return group.isEmpty() && removed.isEmpty();
    }

    /** Writes the transaction. With a fault nothing was written and no copy removed. */
    public void commit(Home home, StoreOutcome outcome) {
        if (group.isEmpty()) {
            group.relieving();
        }
        store.removeCopies(group, removed);
        store.submit(group, home, outcome, fault -> store.copiesRemoved(removed, fault));
    }

    /**
     * Writes the transaction as a prepared branch: its messages are stored and its copies kept until {@link
     * MessageStore#commit} or {@link MessageStore#rollback}. With a fault nothing was written.
     */
    public StoredBranch prepare(BranchId id, String user, long time, Home home, StoreOutcome outcome) {
        StoredBranch branch = new StoredBranch(id, user, time);
        branch.added.addAll(added);
        branch.removed.addAll(removed);
        branch.entry = group.add(StoreFormat.PREPARED, StoreFormat.prepared(branch));
        store.submit(group, home, outcome, Completion.NONE);
        return branch;
    }

    /** Discards the transaction; nothing was written. */
    public void rollback() {
        store.discard(group);
    }
}
