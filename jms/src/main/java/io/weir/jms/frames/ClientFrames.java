package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of the client's frames, except {@link SendFrame}, {@link AckFrame} and {@link CreditFrame}, which are
 * too frequent for a record each. {@code request} is the number that the answer repeats, 0 if no answer is requested.
 * Immutable.
 */
public final class ClientFrames {
    /** Longest selector on the wire, in bytes; the parser's limit is lower. */
    static final int MAX_SELECTOR_BYTES = 128 * 1024;

    private ClientFrames() {}

    /** CONNECTION_STOP, CANCEL_RECEIVE, SYNC, COMMIT: {@code u32 request}. */
    public record Plain(int request) {
        public void write(ByteBuf out) {
            out.writeInt(request);
        }

        public static Plain read(ByteBuf in) {
            return new Plain(WireReader.i32(in));
        }
    }

    /**
     * RECOVER, ROLLBACK, CLOSE_SESSION: {@code u32 request · u64 consumedTo}. After the OK of the first two all older tags
     * are void and the session's window is full again; the client drops what was delivered before that OK.
     *
     * @param consumedTo the highest tag that the application saw on this session, 0 for none. Unacknowledged messages
     * up to it are redelivered; those above it return to their places, neither flagged nor counted
     */
    public record Undo(int request, long consumedTo) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeLong(consumedTo);
        }

        public static Undo read(ByteBuf in) {
            return new Undo(WireReader.i32(in), WireReader.i64(in));
        }
    }

    /** SET_CLIENT_ID: {@code u32 request · u8 unrestricted · text clientId}. */
    public record SetClientId(int request, boolean unrestricted, String clientId) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeBoolean(unrestricted);
            WireWriter.text(out, clientId);
        }

        public static SetClientId read(ByteBuf in) {
            return new SetClientId(WireReader.i32(in), FrameValues.bool(in), WireReader.text(in));
        }
    }

    /**
     * OPEN_SESSION: {@code u32 request · u8 acknowledgeMode · i32 windowMessages · i32 windowBytes · u8 acknowledgePrevious ·
     * i64 redeliveryDelay}.
     *
     * @param acknowledgeMode 0 transacted, 1 auto, 2 client, 3 duplicates allowed, 4 none; 5, since version 3: auto,
     * or transacted while the session is associated with a transaction branch
     * @param windowMessages MessagesMaximum: delivered to listeners, not yet credited; -1 without limit
     * @param windowBytes the same in bytes of message blocks; -1 without limit
     * @param acknowledgePrevious acknowledge() covers the messages up to this one only (AcknowledgePolicy Previous)
     * @param redeliveryDelay milliseconds before redelivery of messages returned by this session, if the destination
     * sets no delay
     */
    public record OpenSession(
            int request,
            int acknowledgeMode,
            int windowMessages,
            int windowBytes,
            boolean acknowledgePrevious,
            long redeliveryDelay) {
        public static final int TRANSACTED = 0;
        public static final int AUTO = 1;
        public static final int CLIENT = 2;
        public static final int DUPLICATES_ALLOWED = 3;
        public static final int NONE = 4;
        /** Takes part in transaction branches; version {@link BranchFrames#VERSION} of the protocol. */
        public static final int BRANCHES = 5;

        public void write(ByteBuf out) {
            out.writeInt(request).writeByte(acknowledgeMode);
            out.writeInt(windowMessages).writeInt(windowBytes).writeBoolean(acknowledgePrevious);
            out.writeLong(redeliveryDelay);
        }

        public static OpenSession read(ByteBuf in) {
            return new OpenSession(
                    WireReader.i32(in),
                    FrameValues.upTo(in, BRANCHES, "acknowledge mode"),
                    FrameValues.window(in),
                    FrameValues.window(in),
                    FrameValues.bool(in),
                    WireReader.i64(in));
        }
    }

    /**
     * OPEN_CONSUMER: {@code u32 request · u32 consumer · destination · optional text selector · u8 flags · optional text
     * subscription}.
     *
     * @param consumer a number chosen by the client, unique within the session
     * @param subscription the name of a durable or shared subscription
     */
    public record OpenConsumer(
            int request,
            int consumer,
            DestinationName destination,
            @Nullable String selector,
            int flags,
            @Nullable String subscription) {
        public static final int NO_LOCAL = 0x01;
        public static final int DURABLE = 0x02;
        public static final int SHARED = 0x04;
        /** A listener is already set. */
        public static final int ASYNC = 0x08;

        public boolean noLocal() {
            return (flags & NO_LOCAL) != 0;
        }

        public boolean durable() {
            return (flags & DURABLE) != 0;
        }

        public boolean shared() {
            return (flags & SHARED) != 0;
        }

        public boolean async() {
            return (flags & ASYNC) != 0;
        }

        public void write(ByteBuf out) {
            out.writeInt(request).writeInt(consumer);
            destination.write(out);
            WireWriter.optionalText(out, selector);
            out.writeByte(flags);
            WireWriter.optionalText(out, subscription);
        }

        public static OpenConsumer read(ByteBuf in) {
            return new OpenConsumer(
                    WireReader.i32(in),
                    WireReader.i32(in),
                    DestinationName.read(in),
                    WireReader.optionalText(in, MAX_SELECTOR_BYTES),
                    WireReader.u8(in),
                    WireReader.optionalText(in));
        }
    }

    /**
     * CLOSE_CONSUMER: {@code u32 request · u32 consumer · u64 consumedTo}.
     *
     * @param consumedTo as in {@link Undo}: the consumer's messages above it return to their places at once and release
     * their window; those up to it stay with the session, to be acknowledged or redelivered
     */
    public record CloseConsumer(int request, int consumer, long consumedTo) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeInt(consumer).writeLong(consumedTo);
        }

        public static CloseConsumer read(ByteBuf in) {
            return new CloseConsumer(WireReader.i32(in), WireReader.i32(in), WireReader.i64(in));
        }
    }

    /** CONSUMER_MODE: {@code u32 consumer · u8 mode}; no reply. */
    public record ConsumerMode(int consumer, int mode) {
        /** Deliver in response to RECEIVE. */
        public static final int SYNC = 0;
        /** A listener is set: deliver as the session's window allows. */
        public static final int ASYNC = 1;
        /** Synchronous with batches pushed ahead, as the session's window allows. */
        public static final int PREFETCH = 2;

        public void write(ByteBuf out) {
            out.writeInt(consumer).writeByte(mode);
        }

        public static ConsumerMode read(ByteBuf in) {
            return new ConsumerMode(WireReader.i32(in), FrameValues.upTo(in, PREFETCH, "consumer mode"));
        }
    }

    /**
     * RECEIVE: {@code u32 request · u32 consumer · i64 timeoutMillis · i32 maxMessages · i32 maxBytes}.
     *
     * @param timeoutMillis -1 to wait forever, 0 without waiting; only the broker measures it
     * @param maxBytes of message blocks; the first message is delivered regardless of its size
     */
    public record Receive(int request, int consumer, long timeoutMillis, int maxMessages, int maxBytes) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeInt(consumer).writeLong(timeoutMillis);
            out.writeInt(maxMessages).writeInt(maxBytes);
        }

        public static Receive read(ByteBuf in) {
            return new Receive(
                    WireReader.i32(in),
                    WireReader.i32(in),
                    WireReader.i64(in),
                    FrameValues.count(in),
                    FrameValues.count(in));
        }
    }

    /** UNSUBSCRIBE: {@code u32 request · text name}. */
    public record Unsubscribe(int request, String name) {
        public void write(ByteBuf out) {
            out.writeInt(request);
            WireWriter.text(out, name);
        }

        public static Unsubscribe read(ByteBuf in) {
            return new Unsubscribe(WireReader.i32(in), WireReader.text(in));
        }
    }

    /** CREATE_TEMPORARY: {@code u32 request · u8 kind}, the kind a temporary one. */
    public record CreateTemporary(int request, DestinationKind kind) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeByte(kind.code());
        }

        public static CreateTemporary read(ByteBuf in) {
            int request = WireReader.i32(in);
            DestinationKind kind = DestinationKind.of(WireReader.u8(in));
            if (!kind.temporary()) {
                throw FrameValues.malformed("a temporary destination of kind " + kind);
            }
            return new CreateTemporary(request, kind);
        }
    }

    /** DELETE_TEMPORARY: {@code u32 request · destination}. */
    public record DeleteTemporary(int request, DestinationName destination) {
        public void write(ByteBuf out) {
            out.writeInt(request);
            destination.write(out);
        }

        public static DeleteTemporary read(ByteBuf in) {
            return new DeleteTemporary(WireReader.i32(in), DestinationName.read(in));
        }
    }

    /**
     * BROWSE: {@code u32 request · destination · optional text selector · i64 cursor · i32 maxMessages · i32 maxBytes}.
     *
     * @param cursor 0 for the first page, then the cursor of BROWSE_DONE
     */
    public record Browse(
            int request,
            DestinationName destination,
            @Nullable String selector,
            long cursor,
            int maxMessages,
            int maxBytes) {
        public void write(ByteBuf out) {
            out.writeInt(request);
            destination.write(out);
            WireWriter.optionalText(out, selector);
            out.writeLong(cursor).writeInt(maxMessages).writeInt(maxBytes);
        }

        public static Browse read(ByteBuf in) {
            return new Browse(
                    WireReader.i32(in),
                    DestinationName.read(in),
                    WireReader.optionalText(in, MAX_SELECTOR_BYTES),
                    WireReader.i64(in),
                    FrameValues.count(in),
                    FrameValues.count(in));
        }
    }

    /** CHECK_DESTINATION: {@code u32 request · destination}; answered by OK if it exists, else by REFUSED. */
    public record CheckDestination(int request, DestinationName destination) {
        public void write(ByteBuf out) {
            out.writeInt(request);
            destination.write(out);
        }

        public static CheckDestination read(ByteBuf in) {
            return new CheckDestination(WireReader.i32(in), DestinationName.read(in));
        }
    }
}
