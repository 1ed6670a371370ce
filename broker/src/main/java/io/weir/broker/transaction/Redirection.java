package io.weir.broker.transaction;

import io.netty.buffer.ByteBuf;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.DestinationRegistry;
import io.weir.broker.queue.ErrorDestination;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MoveCallback;
import io.weir.broker.queue.MoveReason;
import io.weir.broker.queue.MoveRefusal;
import io.weir.broker.queue.QueueAccess;
import io.weir.broker.queue.QueueContext;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.QueueServices;
import io.weir.broker.quota.MessageMemory;
import io.weir.broker.quota.Quota;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.BlockPatch;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages to another destination: to the error destination, or by an administrator. Removal and addition are one
 * write of the store, so that no fault or crash leaves a message in both or in none, and the copy is not visible
 * before. Properties of the copy record where it was and why it was moved ({@link Provenance}), and it is flagged
 * redelivered if it may have been delivered; this does not count toward the limit of the target. It has no delivery
 * delay, and keeps its expiration only if an administrator moved it: at an error destination it does not expire. It is
 * accepted regardless of the quota, because the message exists already; additional memory, a reference for each further
 * subscription, or a copy of a message that subscriptions share, needs room as a send does. Stateless; called on the
 * loop of the destination that the message leaves.
 */
public final class Redirection {
    /** Bytes of a frame in addition to the block. */
    private static final int FRAME_BYTES = 64;

    /** Bytes of a journal group in addition to the block: the target's keys and the removals. */
    private static final int GROUP_BYTES = 1024;

    /**
     * Milliseconds until a message without a taker is retried: a subscription is not urgent, and many messages may
     * wait.
     */
    private static final long NO_TAKER_RETRY = 30_000;

    /** Milliseconds until a retry if memory had no room. */
    private static final long NO_ROOM_RETRY = 5_000;

    private final DestinationRegistry destinations;
    private final QueueServices services;
    private final Commit.Parts commits;

    public Redirection(DestinationRegistry destinations, QueueServices services, Commit.Parts commits) {
        this.destinations = destinations;
        this.services = services;
        this.commits = commits;
    }

    /** The configured error destination of a destination, or null if there is none. */
    @Nullable
    public ErrorDestination errorDestination(QueueContext from) {
        String name = from.config().deliveryFailure().errorDestination();
        if (name.isEmpty()) {
            return null;
        }
        Destination to = destinations.byText(name);
        if (to == null) {
            services.log().log(BrokerMessages.NO_ERROR_DESTINATION, from.name, name);
        }
        return to == null || to.context == from ? null : new Target(to);
    }

    /** An existing error destination. Immutable. */
    private final class Target implements ErrorDestination {
        private final Destination to;

        Target(Destination to) {
            this.to = to;
        }

        @Override
        public String address() {
            return to.name.toString();
        }

        @Override
        public void take(QueueAccess from, List<QueueEntry> entries, MoveReason why, MoveCallback moved) {
            move(from, entries, to, why, moved);
        }
    }

    /** No subscription of the target takes a message and stores it as its delivery mode requires. */
    static final class NoTaker extends MoveRefusal {
        private static final long serialVersionUID = 1;

        NoTaker(String text) {
            super(RefusalCode.ILLEGAL_STATE, NO_TAKER_RETRY, text);
        }
    }

    /**
     * Memory has no room for what a move adds to a message. Its code, INTERNAL, is one that bulk work does not retry.
     */
    static final class NoRoom extends MoveRefusal {
        private static final long serialVersionUID = 1;

        NoRoom(Destination to, String lacking) {
            super(RefusalCode.INTERNAL, NO_ROOM_RETRY, "there is no room for more at " + to.name + " " + lacking);
        }
    }

    /**
     * Refuses a move of which no message could be kept. On the target's loop.
     *
     * @throws Refusal if the target is a topic without any subscription
     */
    public static void admit(Destination to) throws RequestRefusal {
        if (to.queues().isEmpty()) {
            throw new NoTaker(to.name
                    + " has no subscription that would keep moved messages: nothing is moved. Subscribe first, or"
                    + " name a queue");
        }
    }

    /** Moves entries that are in no list. */
    public void move(QueueAccess queue, List<QueueEntry> entries, Destination to, MoveReason why, MoveCallback moved) {
        entries.forEach(e -> e.state = QueueEntry.State.LEAVING);
        Copies copies;
        try {
            copies = copies(queue, entries, to, why);
        } catch (OutOfMemoryError e) {
            moved.done(entries, noMemory(to, e));
            return;
        }
        Commit.Moving moving = new Commit.Moving(copies.freed, why == MoveReason.MOVED);
        Commit commit = Commit.moving(commits, queue.loop, copies.made, copies.of, moving);
        commit.run(failure -> {
            List<QueueEntry> staying = new ArrayList<>(commit.staying());
            staying.addAll(copies.without);
            String lacking = copies.lacking == null ? commit.lacking() : copies.lacking;
            if (failure != null) {
                moved.done(entries, failure);
            } else if (staying.isEmpty()) {
                moved.done(List.of(), null);
            } else if (lacking != null) {
                moved.done(staying, noRoom(queue, staying, to, why, lacking));
            } else if (commit.isFull()) {
                // bulk work continues with them
                moved.done(
                        staying, new RequestRefusal(RefusalCode.RESOURCE_ALLOCATION, "the rest is for the next group"));
            } else {
                moved.done(staying, noTaker(queue, staying, to, why));
            }
        });
    }

    /** The copies of the entries of one move. Confined to it. */
    private static final class Copies {
        final List<PendingSend> made = new ArrayList<>();
        /** The original entry of each copy. */
        final List<QueueEntry> of = new ArrayList<>();
        /** Those that memory has no room for, and why. */
        final List<QueueEntry> without = new ArrayList<>();

        final MessageMemory.Freed freed = new MessageMemory.Freed();

        @Nullable
        String lacking;
    }

    /** Copies each entry that there is room for; on an OutOfMemoryError none. */
    private Copies copies(QueueAccess queue, List<QueueEntry> entries, Destination to, MoveReason why) {
        Copies copies = new Copies();
        long now = queue.loop.clock().millis();
        try {
            for (QueueEntry e : entries) {
                String lacking =
                        copies.lacking != null && why == MoveReason.MOVED ? copies.lacking : lacking(e, copies.freed);
                if (lacking != null) {
                    copies.lacking = lacking;
                    copies.without.add(e);
                    continue;
                }
                copies.made.add(new PendingSend(to, copy(e, to, why, now), e.redelivered()));
                copies.of.add(e);
                copies.freed.add(e.message.isLast(), e.message.size());
            }
            return copies;
        } catch (OutOfMemoryError e) {
            copies.made.forEach(c -> c.message().discard());
            throw e;
        }
    }

    /** Why there is no room for a copy; null if there is, or if the copy replaces the message. */
    private @Nullable String lacking(QueueEntry e, MessageMemory.Freed freed) {
        Message m = e.message;
        return m.isLast() ? null : commits.memory().lackingCopy(m.size() + e.queue.provenanceBytes(), freed);
    }

    private RequestRefusal noRoom(
            QueueAccess queue, List<QueueEntry> staying, Destination to, MoveReason why, String lacking) {
        services.meters().movesWithoutRoom.add(staying.size());
        if (why != MoveReason.MOVED) {
            services.log().log(BrokerMessages.NO_ROOM, queue.address(), to.name);
        }
        return new NoRoom(to, lacking);
    }

    /** Its code, INTERNAL, is one that bulk work does not retry. */
    private static RequestRefusal noMemory(Destination to, OutOfMemoryError e) {
        return new RequestRefusal(
                RefusalCode.INTERNAL,
                "memory is too short to move messages to " + to.name + " (" + e.getMessage()
                        + "): they stay where they are; have messages consumed, or raise -XX:MaxDirectMemorySize");
    }

    private RequestRefusal noTaker(QueueAccess queue, List<QueueEntry> staying, Destination to, MoveReason why) {
        if (why != MoveReason.MOVED) {
            services.log().log(BrokerMessages.NO_TAKER, queue.address(), to.name);
        }
        Message first = staying.getFirst().message;
        return new NoTaker("no " + (first.persistent() ? "durable " : "") + "subscription of " + to.name + " takes "
                + first.id() + (staying.size() > 1 ? " and " + (staying.size() - 1) + " more" : "")
                + ", which stay: subscribe first, name a queue, or leave them out with a selector");
    }

    private Message copy(QueueEntry e, Destination to, MoveReason why, long now) {
        MessageView view = new MessageView();
        ByteBuf copy = withProvenance(e, to, view, why, now);
        if (why != MoveReason.MOVED) {
            BlockPatch.expiration(copy, 0);
        }
        BlockPatch.deliveryTime(copy, 0);
        Message moved = new Message(copy, view.wrap(copy), e.message.origin());
        Quota quota = to.quota();
        quota.force(moved.size());
        moved.charged(quota, 0);
        return moved;
    }

    /**
     * A copy of the block with the provenance properties; without them if it would be too large for a frame or the
     * journal.
     */
    private ByteBuf withProvenance(QueueEntry e, Destination to, MessageView view, MoveReason why, long now) {
        Message m = e.message;
        ByteBuf block = m.block();
        ByteBuf marked = Provenance.copy(block, view.wrap(block), properties(e, view, why, now));
        long most = most(m);
        if (marked.readableBytes() <= most) {
            return marked;
        }
        services.meters().movedWithoutProvenance.inc();
        services.log().log(
                BrokerMessages.MOVED_WITHOUT_PROVENANCE,
                m.id(),
                e.queue.address(),
                to.name,
                marked.readableBytes(),
                most,
                why.text);
        marked.release();
        ByteBuf plain = block.alloc().directBuffer(m.size(), m.size());
        return plain.writeBytes(block, block.readerIndex(), m.size());
    }

    /** The largest block that can be sent to a client and that the journal accepts. */
    private long most(Message m) {
        long frame = services.config().get().wire().maxFrame().bytes() - FRAME_BYTES;
        long group = services.config().get().journal().maxGroupSize().bytes() - GROUP_BYTES;
        return m.persistent() ? Math.min(frame, group) : frame;
    }

    private static Map<String, Object> properties(QueueEntry e, MessageView view, MoveReason why, long now) {
        String from = e.queue.address();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(Provenance.ORIGIN, view.property(Provenance.ORIGIN) instanceof String first ? first : from);
        all.put(Provenance.FROM, from);
        all.put(Provenance.REASON, why.text);
        all.put(Provenance.DELIVERY_COUNT, e.deliveries);
        all.put(Provenance.TIME, now);
        return all;
    }
}
