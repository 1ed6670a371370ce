package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.weir.journal.damage.Describer;
import io.weir.journal.recovery.Replay;
import io.weir.journal.settings.JournalFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the messages and subscriptions that the journal replays. Confined to the opening thread; used for one
 * start.
 */
final class StoreRecovery implements Replay {
    private final ByteBufAllocator allocator;
    private final FoundMessages messages = new FoundMessages();
    private final Map<Long, StoredSubscription> subscriptions = new LinkedHashMap<>();
    /** The keys under which messages of the subscriptions are stored. */
    private final Set<String> incarnations = new HashSet<>();

    private final Map<QueueKey, QueueKey> keys = new HashMap<>();
    /** Obsolete entries. */
    private final List<Long> useless = new ArrayList<>();
    /** Copies whose subscription no longer exists, of messages with other copies that are still needed. */
    private final List<StoredCopy> orphans = new ArrayList<>();

    private final List<StoredBranch> branches = new ArrayList<>();
    /** The branch that adds a message, by the message's id. */
    private final Map<Long, StoredBranch> adding = new HashMap<>();

    private final Map<Long, StoredOutcome> outcomes = new LinkedHashMap<>();
    private final MemoryEstimate memory;
    private int orphaned;
    private boolean keepOrphans;
    /** Entries are only counted and not held, because they do not fit. */
    private boolean counting;

    StoreRecovery(ByteBufAllocator allocator, StartRoom room) {
        this.allocator = allocator;
        this.memory = new MemoryEstimate(room);
    }

    @Override
    public long heap() {
        return memory.heap();
    }

    @Override
    public void crowded() {
        memory.startAgain();
        counting = true;
    }

    @Override
    public void index(long bytes) {
        memory.index(bytes);
    }

    @Override
    public void end() throws JournalFault {
        memory.check();
    }

    @Override
    public void entry(long id, int type, ByteBuffer payload) {
        estimate(type, payload);
        if (!counting && memory.over()) {
            counting = true;
            release();
        }
        if (!counting) {
            take(id, type, payload);
        }
    }

    private void estimate(int type, ByteBuffer payload) {
        switch (type) {
            case StoreFormat.MESSAGE ->
                memory.message(StoreFormat.count(Unpooled.wrappedBuffer(payload)), payload.remaining());
            case StoreFormat.REMOVED -> memory.removed();
            case StoreFormat.DISPATCHED -> memory.marked();
            case StoreFormat.PREPARED -> memory.branch(payload.remaining());
            default -> memory.subscription();
        }
    }

    /** Releases all messages read so far. */
    void release() {
        messages.release();
    }

    private void take(long id, int type, ByteBuffer payload) {
        switch (type) {
            case StoreFormat.MESSAGE -> message(id, payload);
            case StoreFormat.REMOVED -> {
                StoredCopy c = referred(id, payload);
                if (c != null) {
                    duplicate(c.removal);
                    c.removal = id;
                }
            }
            case StoreFormat.DISPATCHED -> {
                StoredCopy c = referred(id, payload);
                if (c != null) {
                    duplicate(c.mark);
                    c.mark = id;
                    c.markDispatched();
                }
            }
            case StoreFormat.SUBSCRIPTION_JOINED ->
                subscribed(id, StoredSubscription.readJoined(Unpooled.wrappedBuffer(payload)));
            case StoreFormat.SUBSCRIPTION ->
                subscribed(id, StoredSubscription.read(id, Unpooled.wrappedBuffer(payload)));
            case StoreFormat.PREPARED -> prepared(new StoredBranch.Found(id, Unpooled.wrappedBuffer(payload)));
            case StoreFormat.OUTCOME -> outcomes.put(id, StoredOutcome.read(Unpooled.wrappedBuffer(payload)));
            default -> throw new IllegalStateException("an entry of type " + type + " in the message store");
        }
    }

    /** Records an entry whose write failed and was repeated, although it had reached the disk. */
    private void duplicate(long before) {
        if (before != 0) {
            useless.add(before);
        }
    }

    @Override
    public Describer describer() {
        return StoreNames.INSTANCE;
    }

    private void subscribed(long id, StoredSubscription s) {
        subscriptions.put(id, s);
        incarnations.add(s.queue());
    }

    /** Messages and copies that are missing were damaged, or their subscription is gone: the branch goes without them. */
    private void prepared(StoredBranch.Found found) {
        branches.add(found.branch);
        found.added.forEach(id -> adding.put(id, found.branch));
        for (int i = 0; i < found.removedFrom.size(); i++) {
            List<StoredCopy> copies = messages.copies(found.removedFrom.get(i));
            int copy = found.removedCopies.get(i);
            if (copies != null && copy < copies.size()) {
                copies.get(copy).heldBy = found.branch;
            }
        }
    }

    private void message(long id, ByteBuffer payload) {
        ByteBuf in = Unpooled.wrappedBuffer(payload);
        List<StoredCopy> copies = StoreFormat.copies(in, keys);
        ByteBuf block = allocator.directBuffer(in.readableBytes(), in.readableBytes());
        block.writeBytes(in);
        messages.add(id, copies, block);
    }

    private @Nullable StoredCopy referred(long id, ByteBuffer payload) {
        long message = payload.getLong();
        int copy = payload.getInt();
        List<StoredCopy> found = messages.copies(message);
        if (found == null || copy >= found.size()) {
            useless.add(id);
            return null;
        }
        return found.get(copy);
    }

    /**
     * Passes everything to the broker.
     *
     * @param damaged whether there is unacknowledged damage: apparent orphans are kept then, because their subscription
     * may be what was lost
     */
    void deliver(Contents contents, boolean damaged) {
        keepOrphans = damaged;
        subscriptions.forEach(contents::subscription);
        branches.forEach(contents::prepared);
        outcomes.forEach(contents::outcome);
        contents.expected(messages.count());
        for (int i = 0; i < messages.count(); i++) {
            List<StoredCopy> copies = messages.copiesAt(i);
            deliver(messages.id(i), copies, messages.take(i), contents);
        }
        if (damaged) {
            contents.kept(orphaned);
        } else {
            contents.orphans(orphaned);
        }
    }

    /** Ids of entries to remove. */
    List<Long> useless() {
        return useless;
    }

    /** Copies to remove. */
    List<StoredCopy> orphans() {
        return orphans;
    }

    private void deliver(long id, List<StoredCopy> copies, ByteBuf block, Contents contents) {
        List<StoredCopy> left = new ArrayList<>(copies.size());
        List<StoredCopy> alone = new ArrayList<>();
        for (StoredCopy c : copies) {
            if (c.removal == 0) {
                (belongs(c) ? left : alone).add(c);
            }
        }
        orphaned += alone.size();
        Stored stored = new Stored(copies, id, left.size() + alone.size());
        copies.forEach(c -> c.message = stored);
        if (left.isEmpty()) {
            if (alone.isEmpty() || !keepOrphans) {
                useless.addAll(stored.entries());
            }
            block.release();
        } else {
            if (!keepOrphans) {
                orphans.addAll(alone);
            }
            hand(id, stored, left, block, contents);
        }
    }

    private void hand(long id, Stored stored, List<StoredCopy> copies, ByteBuf block, Contents contents) {
        StoredBranch branch = adding.get(id);
        if (branch != null) {
            branch.added.add(stored);
            contents.pending(branch, copies, block);
            return;
        }
        for (StoredCopy c : copies) {
            StoredBranch holder = c.heldBy;
            if (holder != null) {
                holder.removed.add(c);
            }
        }
        contents.message(copies, block);
    }

    /** Whether its queue, or its incarnation of a subscription, can still exist. */
    private boolean belongs(StoredCopy c) {
        String subscription = c.queue().subscription();
        return subscription.isEmpty() || incarnations.contains(subscription);
    }
}
