package io.weir.broker.transaction;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.QueueAccess;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoreTransaction;
import io.weir.broker.store.StoredCopy;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a transaction on their way into the queues that take them: in each with an entry that no consumer sees
 * before it is published. Passed from loop to loop; each of them touches the entries of its own queues.
 */
final class Routing {
    private final List<PendingSend> sends;
    private final BitSet unrouted;
    private final List<QueueEntry> routed = new ArrayList<>();

    Routing(List<PendingSend> sends) {
        this.sends = sends;
        this.unrouted = new BitSet(sends.size());
        unrouted.set(0, sends.size());
    }

    /** Runs a step on each of these loops, one after the other, and then the last one on a loop of its own. */
    static void visit(Collection<BrokerLoop> loops, Consumer<BrokerLoop> step, BrokerLoop home, Runnable last) {
        next(new ArrayDeque<>(loops), step, home, last);
    }

    private static void next(Queue<BrokerLoop> left, Consumer<BrokerLoop> step, BrokerLoop home, Runnable last) {
        BrokerLoop next = left.poll();
        if (next == null) {
            home.run(last);
        } else {
            next.run(() -> {
                step.accept(next);
                next(left, step, home, last);
            });
        }
    }

    boolean isEmpty() {
        return routed.isEmpty();
    }

    /**
     * Routes the sends of a loop, and removes what leaves its queues. On that loop.
     *
     * @param tx the store's part, if there is one
     * @param leaving entries that are removed, unless they stay
     * @param stays whether a send is not routed, by its index
     * @return why the transaction cannot be; null if this loop's part is done
     */
    @Nullable
    RequestRefusal take(
            BrokerLoop loop,
            @Nullable StoreTransaction tx,
            List<QueueEntry> leaving,
            Set<QueueEntry> staying,
            IntPredicate stays) {
        try {
            for (int i = 0; i < sends.size(); i++) {
                if (sends.get(i).destination().loop.equals(loop)) {
                    // it may have been deleted or paused since the end of the transaction was requested
                    sends.get(i).destination().admitInsertion();
                    if (!stays.test(i)) {
                        route(i, tx);
                    }
                }
            }
        } catch (RequestRefusal r) {
            return r;
        } catch (OutOfMemoryError e) {
            // INTERNAL, which bulk work does not retry
            return new RequestRefusal(
                    RefusalCode.INTERNAL,
                    "memory is too short for the transaction (" + e.getMessage()
                            + "): nothing of it is done; have messages consumed, or raise -XX:MaxDirectMemorySize");
        }
        for (QueueEntry e : leaving) {
            StoredCopy copy = e.kept();
            if (tx != null && e.queue.loop.equals(loop) && copy != null && !staying.contains(e)) {
                tx.remove(copy);
            }
        }
        return null;
    }

    /** Finds the queues that take a send, and adds it to the store's transaction, if one is given. On its loop. */
    private void route(int send, @Nullable StoreTransaction tx) {
        unrouted.clear(send);
        PendingSend s = sends.get(send);
        Message m = s.message();
        List<QueueEntry> entries = s.destination().route(m, s.delivered());
        routed.addAll(entries);
        List<QueueEntry> kept = new ArrayList<>();
        List<QueueKey> keys = new ArrayList<>();
        for (QueueEntry e : entries) {
            if (m.persistent() && e.queue.durable) {
                kept.add(e);
                keys.add(e.queue.key());
            }
        }
        if (tx != null && !kept.isEmpty()) {
            List<StoredCopy> copies = tx.write(keys, s.delivered(), m.block());
            for (int i = 0; i < copies.size(); i++) {
                kept.get(i).copy = copies.get(i);
            }
        }
    }

    /** Adds a send that was routed before the server's start. */
    void restored(int send, List<QueueEntry> entries) {
        unrouted.clear(send);
        routed.addAll(entries);
    }

    /** Discards the messages that were not routed. */
    void discardUnrouted() {
        unrouted.stream().forEach(i -> sends.get(i).message().discard());
    }

    /**
     * Publishes the entries of a loop's queues, or drops them. On that loop.
     *
     * @return the queues to dispatch
     */
    Set<QueueAccess> settle(BrokerLoop loop, boolean committed) {
        Set<QueueAccess> touched = new LinkedHashSet<>();
        for (QueueEntry e : routed) {
            if (e.queue.loop.equals(loop)) {
                touched.add(e.queue);
                if (committed) {
                    e.queue.publish(e);
                } else {
                    e.copy = null;
                    e.queue.forgetNew(e);
                }
            }
        }
        if (committed) {
            for (int i = 0; i < sends.size(); i++) {
                PendingSend s = sends.get(i);
                if (s.destination().loop.equals(loop) && !unrouted.get(i)) {
                    s.destination().received(s.message());
                }
            }
        }
        return touched;
    }
}
