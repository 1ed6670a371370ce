package io.weir.broker;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.store.Contents;
import io.weir.broker.store.Home;
import io.weir.broker.store.MessageStore;
import io.weir.broker.store.Outcome;
import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoredCopy;
import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.RefusalCode;
import io.weir.journal.JournalConfig;
import io.weir.journal.JournalFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of the message store: which entries are kept, and what becomes of them there. Each loop calls it for
 * its own queues and is told there. Shared; without a store it keeps nothing.
 */
final class Keeper implements AutoCloseable {
    private final Log log;
    private @Nullable MessageStore store;
    private final Map<Loop, Home> homes = new HashMap<>();

    Keeper(Log log) {
        this.log = log;
    }

    /** Opens the store and hands over what it holds. Before the loops have anything to do. */
    void open(Path directory, JournalConfig config, List<Loop> loops, Clock clock, Stats stats, Contents contents)
            throws IOException, JournalFault {
        use(
                MessageStore.open(
                        BrokerAdmin.JOURNAL, directory, config, clock, Chance.unseeded(), stats, log, contents),
                loops);
    }

    /** Uses a store that is open. */
    void use(MessageStore opened, List<Loop> loops) {
        store = opened;
        loops.forEach(l -> homes.put(l, opened.home(l::post)));
    }

    boolean isOpen() {
        return store != null;
    }

    /** Why persistent messages are refused now; null while all is well or nothing is kept. */
    @Nullable
    JournalFault suspended() {
        MessageStore s = store;
        return s == null ? null : s.suspended();
    }

    MessageStore store() {
        MessageStore s = store;
        if (s == null) {
            throw new IllegalStateException("there is no store");
        }
        return s;
    }

    Home home(Loop loop) {
        Home h = homes.get(loop);
        if (h == null) {
            throw new IllegalStateException("loop " + loop.index() + " has no home in the store");
        }
        return h;
    }

    /** Writes the entries of one message that are not settled yet; told when they are durable. */
    void write(Destination d, List<Entry> entries, Sent sent) {
        List<Entry> alive = new ArrayList<>(entries.size());
        List<QueueKey> keys = new ArrayList<>(entries.size());
        for (Entry e : entries) {
            if (e.state != Entry.State.GONE) {
                alive.add(e);
                keys.add(e.queue.key());
            }
        }
        if (alive.isEmpty()) {
            sent.done(null);
            return;
        }
        Message m = alive.getFirst().message;
        List<StoredCopy> copies = store().write(
                        keys,
                        i -> alive.get(i).state == Entry.State.DELIVERED,
                        m.block(),
                        home(d.loop),
                        fault -> written(d, alive, fault, sent));
        for (int i = 0; i < copies.size(); i++) {
            alive.get(i).copy = copies.get(i);
        }
    }

    private void written(Destination d, List<Entry> entries, @Nullable JournalFault fault, Sent sent) {
        if (fault == null) {
            sent.done(null);
            return;
        }
        for (Entry e : entries) {
            e.copy = null;
            e.queue.withdraw(e);
        }
        sent.done(refusal(d.name.toString(), fault));
    }

    /** What users are told of a fault of the store. */
    Refusal refusal(String where, JournalFault fault) {
        log.log(BrokerMessages.STORE_FAILED, where, fault);
        return new Refusal(RefusalCode.STORE, "the message for " + where + " is not stored: " + fault.getMessage());
    }

    /** An entry is gone. */
    void remove(Entry e) {
        StoredCopy copy = e.copy;
        if (copy != null) {
            e.copy = null;
            store().remove(copy, home(e.queue.loop), Outcome.IGNORED);
        }
    }

    /** Whether the entry is in the store as one that was never delivered. */
    boolean needsMark(Entry e) {
        StoredCopy copy = e.copy;
        return copy != null && !copy.dispatched();
    }

    /** Marks entries as delivered. When that fails they are delivered all the same: nobody is to starve for a full disk. */
    void mark(MessageQueue q, List<Entry> entries, Runnable done) {
        List<StoredCopy> copies = new ArrayList<>(entries.size());
        for (Entry e : entries) {
            StoredCopy copy = e.copy;
            if (copy != null && !copy.dispatched()) {
                copies.add(copy);
            }
        }
        if (copies.isEmpty()) {
            done.run();
            return;
        }
        store().mark(copies, home(q.loop), fault -> {
            if (fault != null) {
                log.log(BrokerMessages.STORE_FAILED, q.destination.name, fault);
            }
            done.run();
        });
    }

    /** Runs an action, on the loop, when all that it asked for is durable; at once when there is nothing to wait for. */
    void whenDone(Loop loop, boolean any, Runnable action) {
        MessageStore s = store;
        if (s == null || !any) {
            action.run();
        } else {
            s.sync(home(loop), _ -> action.run());
        }
    }

    void subscribe(Loop loop, StoredSubscription s) {
        if (isOpen()) {
            store().subscribe(s, home(loop), Outcome.IGNORED);
        }
    }

    void unsubscribe(Loop loop, String key) {
        if (isOpen()) {
            store().unsubscribe(key, home(loop), Outcome.IGNORED);
        }
    }

    @Override
    public void close() {
        MessageStore s = store;
        if (s != null) {
            s.close();
        }
    }
}
