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
 * write of the store, so that no fault or crash leaves a message in both or in none, and it is not visible there
 * before. The copy says where it was and why it was moved ({@link Provenance}), and that it may have been delivered
 * where it may; that does not count toward the limit of where it comes. It has no delay, and an expiration only where
 * an administrator moved it: at an error destination it stays. It is taken whatever the quota says, since the message
 * exists already; what it takes of memory beyond that, a reference for each further subscription, or a copy of what
 * subscriptions share, needs room as a send does. Stateless; called on the loop of the destination that the message
 * leaves.
 */
public final class Redirection {
    /** What a frame has beside the block. */
    private static final int FRAME_BYTES = 64;

    /** What a group of the journal has beside the block: where it goes, and what leaves. */
    private static final int GROUP_BYTES = 1024;

    /**
     * Milliseconds until a message without a taker is retried: a subscription is not urgent, and many messages may
     * wait.
     */
    private static final long NOBODY_RETRY = 30_000;

    /** The same where memory had no room. */
    private static final long NO_ROOM_RETRY = 5_000;

    private final DestinationRegistry destinations;
    private final QueueServices services;
    private final Commit.Parts commits;

    public Redirection(DestinationRegistry destinations, QueueServices services, Commit.Parts commits) {
        this.destinations = destinations;
        this.services = services;
        this.commits = commits;
    }

    /** The error destination that a destination's settings name, or null where there is none. */
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

    /** An error destination that is there. Immutable. */
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

    /** Nobody at the target takes a message and keeps it as safe as it asks for. */
    static final class NobodyTakes extends MoveRefusal {
        private static final long serialVersionUID = 1;

        NobodyTakes(String text) {
            super(RefusalCode.ILLEGAL_STATE, NOBODY_RETRY, text);
        }
    }

    /**
     * Memory has no room for what a move makes of a message beyond what it was. Of a kind that bulk work does not try
     * again by itself.
     */
    static final class NoRoom extends MoveRefusal {
        private static final long serialVersionUID = 1;

        NoRoom(Destination to, String lacking) {
            super(RefusalCode.INTERNAL, NO_ROOM_RETRY, "there is no room for more at " + to.name + " " + lacking);
        }
    }

    /**
     * Refuses a move of which nothing could be kept.
     *
     * @throws Refusal where the target is a topic without any subscription. On the target's loop
     */
    public static void admit(Destination to) throws RequestRefusal {
        if (to.queues().isEmpty()) {
            throw new NobodyTakes(
                    to.name + " has no subscription, so that nobody would keep what is moved there: nothing is"
                            + " moved. Subscribe first, or name a queue");
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
                // bulk work goes on with them
                moved.done(
                        staying, new RequestRefusal(RefusalCode.RESOURCE_ALLOCATION, "the rest is for the next group"));
            } else {
                moved.done(staying, nobodyTakes(queue, staying, to, why));
            }
        });
    }

    /** What is made of the entries of one move. Confined to it. */
    private static final class Copies {
        final List<PendingSend> made = new ArrayList<>();
        /** The entry of each. */
        final List<QueueEntry> of = new ArrayList<>();
        /** Those that memory has no room for, and why. */
        final List<QueueEntry> without = new ArrayList<>();

        final MessageMemory.Freed freed = new MessageMemory.Freed();

        @Nullable
        String lacking;
    }

    /** A copy of each that there is room for; none where the memory itself does not do for all. */
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

    /** Why there is no room for a copy of its own; where it is instead of the message it needs none. */
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

    /** Of a kind that bulk work does not try again by itself. */
    private static RequestRefusal noMemory(Destination to, OutOfMemoryError e) {
        return new RequestRefusal(
                RefusalCode.INTERNAL,
                "memory is too short to move messages to " + to.name + " (" + e.getMessage()
                        + "): they stay where they are; have messages consumed, or raise -XX:MaxDirectMemorySize");
    }

    private RequestRefusal nobodyTakes(QueueAccess queue, List<QueueEntry> staying, Destination to, MoveReason why) {
        if (why != MoveReason.MOVED) {
            services.log().log(BrokerMessages.NOBODY_TAKES, queue.address(), to.name);
        }
        Message first = staying.getFirst().message;
        return new NobodyTakes("no " + (first.persistent() ? "durable " : "") + "subscription of " + to.name + " takes "
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
     * The block with the properties of its provenance; without them if it would be too large for a frame or the
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
        services.meters().movedUntold.inc();
        services.log().log(
                BrokerMessages.MOVED_UNTOLD,
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

    /** The largest block that a client can be sent, and the journal takes. */
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
