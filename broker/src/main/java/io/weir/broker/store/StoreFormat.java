package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.journal.Payload;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The store's entries in the journal: types and payloads, described in docs/journal.md. Immutable. */
final class StoreFormat {
    /** varint copies · (queue key · u8 dispatched)* · message block. */
    static final int MESSAGE = 1;
    /** u64 message · u32 copy: the copy was removed, others were not. */
    static final int REMOVED = 2;
    /** u64 message · u32 copy: the copy was dispatched after it was written. */
    static final int DISPATCHED = 3;
    /**
     * A durable subscription of the first format, in which identifier and name were one text. Only read, never written.
     */
    static final int SUBSCRIPTION_JOINED = 4;
    /** A durable subscription. */
    static final int SUBSCRIPTION = 5;
    /**
     * branch · text user · u64 time · varint messages · (u64 message)* · varint copies · (u64 message · u32 copy)*: a
     * prepared transaction branch, with the messages that it adds, written before, and the copies that it removes.
     */
    static final int PREPARED = 6;
    /** branch · text user · u64 time · u8 committed · i32 sent · i32 received: an operator ended a prepared branch. */
    static final int OUTCOME = 7;

    private StoreFormat() {}

    static void head(List<StoredCopy> copies, ByteBuf out) {
        WireWriter.varint(out, copies.size());
        for (StoredCopy c : copies) {
            c.queue().write(out);
            out.writeBoolean(c.dispatched());
        }
    }

    /**
     * Reads a head; the message block follows.
     *
     * @param known the keys read so far, so that messages of a queue share one
     */
    static List<StoredCopy> copies(ByteBuf in, Map<QueueKey, QueueKey> known) {
        int n = WireReader.varint(in);
        List<StoredCopy> copies = new ArrayList<>(Math.min(n, in.readableBytes()));
        for (int i = 0; i < n; i++) {
            QueueKey queue = known.computeIfAbsent(QueueKey.read(in), k -> k);
            copies.add(new StoredCopy(queue, i, in.readBoolean()));
        }
        return List.copyOf(copies);
    }

    /** The number of copies in a message's entry. */
    static int count(ByteBuf in) {
        return WireReader.varint(in);
    }

    /** The payload that refers to one copy of a message. */
    static Payload reference(long message, int copy) {
        return new Payload() {
            @Override
            public int length() {
                return 12;
            }

            @Override
            public void writeTo(ByteBuffer to) {
                to.putLong(message).putInt(copy);
            }
        };
    }

    static Payload subscription(StoredSubscription s) {
        return payload(s::write);
    }

    static Payload prepared(StoredBranch b) {
        return payload(b::write);
    }

    static Payload outcome(StoredOutcome o) {
        return payload(o::write);
    }

    private static Payload payload(Consumer<ByteBuf> content) {
        ByteBuf b = Unpooled.buffer();
        content.accept(b);
        byte[] bytes = new byte[b.readableBytes()];
        b.readBytes(bytes);
        return Payload.of(bytes);
    }
}
