package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockPatch;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages to another destination: to the error destination, or by an administrator. Taken here and given there are one
 * write of the store, so that no fault and no death leaves a message in both or in none, and nobody sees it there before. The
 * copy says where it was and why it was moved ({@link Provenance}), and that it may have been delivered where it may; that does not
 * count toward the limit of where it comes. It has no delay, and an expiration only where an administrator moved it: at an error
 * destination it stays. It is taken whatever the quota says, since the message exists already; what it takes of
 * memory beyond that, a reference for each further subscription, or a copy of what subscriptions share, needs room as a send does. Stateless; called on the loop of the destination that the message leaves.
 */
final class Redirection {
    /** Why a message is moved. */
    enum Reason {
        REDELIVERY_LIMIT("redelivery-limit"),
        EXPIRED("expired"),
        MOVED("moved");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    /** What a copy has more than its message beside two addresses, about. */
    private static final int MORE_BYTES = 512;

    /** What a frame has beside the block. */
    private static final int FRAME_BYTES = 64;

    /** What a group of the journal has beside the block: where it goes, and what leaves. */
    private static final int GROUP_BYTES = 1024;

    /** Milliseconds after which a message that could not be moved is tried again. */
    private static final long RETRY = 1000;

    /** The same where nobody took it: who subscribes is in no hurry, and many may wait. */
    private static final long NOBODY_RETRY = 30_000;

    /** The same where memory had no room. */
    private static final long NO_ROOM_RETRY = 5_000;

    private final Engine engine;

    /** What a copy has more than its message, about: for who fills groups of the journal with copies. */
    static int moreBytes(MessageQueue from) {
        return MORE_BYTES + 2 * Utf8.size(from.address());
    }

    Redirection(Engine engine) {
        this.engine = engine;
    }

    /** The error destination of a destination, or null where there is none. */
    @Nullable
    Destination target(Destination from) {
        String name = from.config().deliveryFailure().errorDestination();
        if (name.isEmpty()) {
            return null;
        }
        Destination to = engine.destinations().byText(name);
        if (to == null) {
            engine.log().log(BrokerMessages.NO_ERROR_DESTINATION, from.name, name);
        }
        return to == null || to.equals(from) ? null : to;
    }

    /** Who asked for a move. */
    @FunctionalInterface
    interface Moved {
        /**
         * Told once, on the queue's loop.
         *
         * @param staying entries that are where they were, and for the caller to put back
         * @param failure why they stay; null where all are moved
         */
        void done(List<Entry> staying, @Nullable Refusal failure);
    }

    /** Of some messages, each of which waits by itself: others may be moved meanwhile. */
    abstract static class Stays extends Refusal {
        private static final long serialVersionUID = 1;

        private final long retry;

        Stays(RefusalCode code, long retry, String text) {
            super(code, text);
            this.retry = retry;
        }
    }

    /** Nobody at the target takes a message and keeps it as safe as it asks for. */
    static final class NobodyTakes extends Stays {
        private static final long serialVersionUID = 1;

        NobodyTakes(String text) {
            super(RefusalCode.ILLEGAL_STATE, NOBODY_RETRY, text);
        }
    }

    /** Memory has no room for what a move makes of a message beyond what it was. Of a kind that bulk work does not try again by itself. */
    static final class NoRoom extends Stays {
        private static final long serialVersionUID = 1;

        NoRoom(Destination to, String lacking) {
            super(RefusalCode.INTERNAL, NO_ROOM_RETRY, "there is no room for more at " + to.name + " " + lacking);
        }
    }

    /** After how many milliseconds what could not be moved is tried again. */
    static long retryMillis(Refusal failure) {
        return failure instanceof Stays s ? s.retry : RETRY;
    }

    /**
     * Refuses a move of which nothing could be kept.
     *
     * @throws Refusal where the target is a topic without any subscription. On the target's loop
     */
    static void admit(Destination to) throws Refusal {
        if (to.queues().isEmpty()) {
            throw new NobodyTakes(
                    to.name + " has no subscription, so that nobody would keep what is moved there: nothing is"
                            + " moved. Subscribe first, or name a queue");
        }
    }

    /** Moves entries that are in no list. */
    void move(MessageQueue queue, List<Entry> entries, Destination to, Reason why, Moved moved) {
        entries.forEach(e -> e.state = Entry.State.LEAVING);
        Copies copies;
        try {
            copies = copies(queue, entries, to, why);
        } catch (OutOfMemoryError e) {
            moved.done(entries, noMemory(to, e));
            return;
        }
        Commit.Moving moving = new Commit.Moving(copies.freed, why == Reason.MOVED);
        Commit commit = Commit.moving(engine, queue.loop, copies.made, copies.of, moving);
        commit.run(failure -> {
            List<Entry> staying = new ArrayList<>(commit.staying());
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
                moved.done(staying, new Refusal(RefusalCode.RESOURCE_ALLOCATION, "the rest is for the next group"));
            } else {
                moved.done(staying, nobodyTakes(queue, staying, to, why));
            }
        });
    }

    /** What is made of the entries of one move. Confined to it. */
    private static final class Copies {
        final List<LocalTransaction.PendingSend> made = new ArrayList<>();
        /** The entry of each. */
        final List<Entry> of = new ArrayList<>();
        /** Those that memory has no room for, and why. */
        final List<Entry> without = new ArrayList<>();

        final Memory.Freed freed = new Memory.Freed();

        @Nullable
        String lacking;
    }

    /** A copy of each that there is room for; none where the memory itself does not do for all. */
    private Copies copies(MessageQueue queue, List<Entry> entries, Destination to, Reason why) {
        Copies copies = new Copies();
        long now = queue.loop.clock().millis();
        try {
            for (Entry e : entries) {
                String lacking =
                        copies.lacking != null && why == Reason.MOVED ? copies.lacking : lacking(e, copies.freed);
                if (lacking != null) {
                    copies.lacking = lacking;
                    copies.without.add(e);
                    continue;
                }
                copies.made.add(new LocalTransaction.PendingSend(to, copy(e, to, why, now), e.redelivered()));
                copies.of.add(e);
                copies.freed.add(e.message);
            }
            return copies;
        } catch (OutOfMemoryError e) {
            copies.made.forEach(c -> c.message().discard());
            throw e;
        }
    }

    /** Why there is no room for a copy of its own; where it is instead of the message it needs none. */
    private @Nullable String lacking(Entry e, Memory.Freed freed) {
        Message m = e.message;
        return m.isLast() ? null : engine.quotas().memory().lackingCopy(m.size() + moreBytes(e.queue), freed);
    }

    private Refusal noRoom(MessageQueue queue, List<Entry> staying, Destination to, Reason why, String lacking) {
        engine.meters().movesWithoutRoom.add(staying.size());
        if (why != Reason.MOVED) {
            engine.log().log(BrokerMessages.NO_ROOM, queue.address(), to.name);
        }
        return new NoRoom(to, lacking);
    }

    /** Of a kind that bulk work does not try again by itself. */
    private static Refusal noMemory(Destination to, OutOfMemoryError e) {
        return new Refusal(
                RefusalCode.INTERNAL,
                "memory is too short to move messages to " + to.name + " (" + e.getMessage()
                        + "): they stay where they are; have messages consumed, or raise -XX:MaxDirectMemorySize");
    }

    private Refusal nobodyTakes(MessageQueue queue, List<Entry> staying, Destination to, Reason why) {
        if (why != Reason.MOVED) {
            engine.log().log(BrokerMessages.NOBODY_TAKES, queue.address(), to.name);
        }
        Message first = staying.getFirst().message;
        return new NobodyTakes("no " + (first.persistent() ? "durable " : "") + "subscription of " + to.name + " takes "
                + first.id() + (staying.size() > 1 ? " and " + (staying.size() - 1) + " more" : "")
                + ", which stay: subscribe first, name a queue, or leave them out with a selector");
    }

    private Message copy(Entry e, Destination to, Reason why, long now) {
        MessageView view = new MessageView();
        ByteBuf copy = told(e, to, view, why, now);
        if (why != Reason.MOVED) {
            BlockPatch.expiration(copy, 0);
        }
        BlockPatch.deliveryTime(copy, 0);
        Message moved = new Message(copy, view.wrap(copy), e.message.origin());
        Quota quota = to.quota();
        quota.force(moved.size());
        moved.charged(quota, 0);
        return moved;
    }

    /** The block with what is to be said; as it was where no client could receive it with that, or the journal not take it. */
    private ByteBuf told(Entry e, Destination to, MessageView view, Reason why, long now) {
        Message m = e.message;
        ByteBuf block = m.block();
        ByteBuf told = Provenance.copy(block, view.wrap(block), properties(e, view, why, now));
        long most = most(m);
        if (told.readableBytes() <= most) {
            return told;
        }
        engine.meters().movedUntold.inc();
        engine.log().log(
                BrokerMessages.MOVED_UNTOLD, m.id(), e.queue.address(), to.name, told.readableBytes(), most, why.text);
        told.release();
        ByteBuf plain = block.alloc().directBuffer(m.size(), m.size());
        return plain.writeBytes(block, block.readerIndex(), m.size());
    }

    /** The largest block that a client can be sent, and the journal takes. */
    private long most(Message m) {
        long frame = engine.config().wire().maxFrame().bytes() - FRAME_BYTES;
        long group = engine.config().journal().maxGroupSize().bytes() - GROUP_BYTES;
        return m.persistent() ? Math.min(frame, group) : frame;
    }

    private static Map<String, Object> properties(Entry e, MessageView view, Reason why, long now) {
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
