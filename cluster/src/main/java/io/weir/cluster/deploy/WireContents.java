package io.weir.cluster.deploy;

import io.netty.buffer.ByteBuf;
import io.weir.base.Clock;
import io.weir.base.Durations;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fetches archives from other members over their weir listeners, in chunks. Shared; blocks the calling execute thread.
 */
public final class WireContents implements ArchiveContents {
    private final WireClient client;
    private final Credentials credentials;
    private final ClientOptions options;
    private final Function<String, @Nullable String> addresses;
    private final Duration timeOut;
    private final Clock clock;

    /** A response, or the loss of the connection. */
    private static final class Given {
        final int status;
        final byte[] bytes;
        final @Nullable Throwable lost;

        Given(int status, byte[] bytes, @Nullable Throwable lost) {
            this.status = status;
            this.bytes = bytes;
            this.lost = lost;
        }
    }

    /**
     * Creates a fetcher over a client.
     *
     * @param addresses host:port of a member's weir listener by member name; null if unknown
     * @param timeOut time limit for a whole archive
     */
    public WireContents(
            WireClient client,
            Credentials credentials,
            ClientOptions options,
            Function<String, @Nullable String> addresses,
            Duration timeOut,
            Clock clock) {
        this.client = client;
        this.credentials = credentials;
        this.options = options;
        this.addresses = addresses;
        this.timeOut = timeOut;
        this.clock = clock;
    }

    @Override
    public void fetch(String member, String sha256, long size, OutputStream into)
            throws IOException, InterruptedException {
        long deadline = clock.nanos() + timeOut.toNanos();
        BlockingQueue<Given> answers = new ArrayBlockingQueue<>(2);
        CompletableFuture<WireConnection> connecting =
                client.connect(List.of(address(member)), credentials, options, _ -> new Answers(answers));
        try {
            WireConnection connection = connecting.get(left(deadline), TimeUnit.NANOSECONDS);
            copy(connection, answers, sha256, size, into, deadline);
        } catch (ExecutionException e) {
            throw new IOException("it is unreachable: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("it did not connect within " + Durations.spoken(timeOut), e);
        } finally {
            connecting.cancel(false);
            var _ = connecting.thenAccept(WireConnection::close);
        }
    }

    private void copy(
            WireConnection from,
            BlockingQueue<Given> answers,
            String sha256,
            long size,
            OutputStream into,
            long deadline)
            throws IOException, InterruptedException {
        byte[] sha = HexFormat.of().parseHex(sha256);
        long offset = 0;
        while (offset < size) {
            int wanted = (int) Math.min(ContentsFrames.CHUNK, size - offset);
            ByteBuf request = from.newFrame(ContentsFrames.GIVE, 0, ContentsFrames.HEAD);
            request.writeInt(1).writeBytes(sha).writeLong(offset).writeInt(wanted);
            from.send(request);
            byte[] part = part(answers.poll(left(deadline), TimeUnit.NANOSECONDS), wanted);
            into.write(part);
            offset += part.length;
        }
    }

    private byte[] part(@Nullable Given given, int wanted) throws IOException {
        if (given == null) {
            throw new IOException("it did not send them within " + Durations.spoken(timeOut));
        }
        Throwable lost = given.lost;
        if (lost != null) {
            throw new IOException("the connection was lost: " + lost, lost);
        }
        if (given.status != ContentsFrames.HERE) {
            throw new IOException(given.status == ContentsFrames.NOT_HERE ? "it does not have them" : "it is busy");
        }
        if (given.bytes.length == 0 || given.bytes.length > wanted) {
            throw new IOException("it sent " + given.bytes.length + " bytes where " + wanted + " were requested");
        }
        return given.bytes;
    }

    private long left(long deadline) {
        return Math.max(deadline - clock.nanos(), 0);
    }

    private WireUrl.Address address(String member) throws IOException {
        String at = addresses.apply(member);
        int colon = at == null ? -1 : at.lastIndexOf(':');
        if (at == null || colon < 1) {
            throw new IOException("its address is not known");
        }
        String host = at.substring(0, colon);
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new WireUrl.Address(bare, Integer.parseInt(at, colon + 1, at.length(), 10));
    }

    /** Hands responses to the waiting thread. On the connection's loop. */
    private static final class Answers implements FrameHandler {
        private final BlockingQueue<Given> to;

        Answers(BlockingQueue<Given> to) {
            this.to = to;
        }

        @Override
        public void frame(int type, int stream, ByteBuf payload) {
            if (type != ContentsFrames.GIVEN) {
                throw new WireFault(Reason.UNKNOWN_TYPE, "not a contents frame: 0x" + Integer.toHexString(type));
            }
            var _ = WireReader.i32(payload);
            int status = WireReader.u8(payload);
            byte[] bytes = new byte[payload.readableBytes()];
            payload.readBytes(bytes);
            if (!to.offer(new Given(status, bytes, null))) {
                throw new WireFault(Reason.MALFORMED, "contents that were not requested");
            }
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            Throwable why = cause == null ? new IOException("it closed the connection") : cause;
            // if the queue is full, the waiting thread already has a response
            var _ = to.offer(new Given(ContentsFrames.NOT_NOW, new byte[0], why));
        }
    }
}
