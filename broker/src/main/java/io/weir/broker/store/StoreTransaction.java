package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.journal.Group;
import io.weir.journal.settings.JournalFault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages and removals that become durable together or not at all. Confined to the session's loop; used for one
 * commit. A copy can be in one transaction at a time.
 */
public final class StoreTransaction {
    private final MessageStore store;
    private final Group group;
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
        return store.add(group, queues, _ -> dispatched, block);
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
        for (StoredCopy c : removed) {
            if (c.message().copies.size() == 1) {
                store.removeAll(group, c.message());
            } else {
                store.removeOne(group, c);
            }
        }
        store.submit(group, home, outcome, this::settle);
    }

    /** Discards the transaction; nothing was written. */
    public void rollback() {
        store.discard(group);
    }

    private void settle(@Nullable JournalFault fault) {
        for (StoredCopy c : removed) {
            if (c.message().copies.size() > 1) {
                if (fault == null) {
                    store.removedOne(c.message());
                } else {
                    c.removal = 0;
                }
            }
        }
    }
}
