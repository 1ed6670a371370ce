package io.weir.cluster.members;

import io.netty.buffer.ByteBuf;
import io.weir.cluster.log.Loop;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to another member: connects, sends, awaits the answer, closes. Confined to the member's loop, where
 * answers complete.
 */
final class MembersLine implements AutoCloseable {
    private final WireClient client;
    private final Credentials credentials;
    private final ClientOptions options;
    private final Loop loop;

    MembersLine(WireClient client, Credentials credentials, ClientOptions options, Loop loop) {
        this.client = client;
        this.credentials = credentials;
        this.options = options;
        this.loop = loop;
    }

    /**
     * Sends a request and completes with its answer.
     *
     * @param address host:port
     * @param seconds time-out
     */
    CompletableFuture<MembersMessage> request(String address, MembersMessage message, int seconds) {
        CompletableFuture<MembersMessage> result = new CompletableFuture<>();
        CompletableFuture<WireConnection> connecting;
        try {
            connecting = client.connect(
                    List.of(address(address)), credentials, options, connection -> new Answer(connection, result));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        var _ = connecting.whenComplete((connection, failure) -> {
            if (connection != null) {
                MembersCodec.send(connection, 1, message);
            } else if (failure != null) {
                complete(result, null, failure instanceof CompletionException c ? c.getCause() : failure);
            }
        });
        var late = loop.after(TimeUnit.SECONDS.toNanos(seconds), () -> {
            result.completeExceptionally(new IOException("no answer from " + address + " within " + seconds + " s"));
            connecting.cancel(false);
        });
        return result.whenComplete((_, _) -> {
            late.cancel();
            var _ = connecting.thenAccept(WireConnection::close);
        });
    }

    private static WireUrl.Address address(String text) throws IOException {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IOException("not an address host:port: " + text);
        }
        String host = text.substring(0, colon);
        try {
            return new WireUrl.Address(
                    host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IOException("invalid port in the address " + text, e);
        }
    }

    private void complete(
            CompletableFuture<MembersMessage> result, @Nullable MembersMessage answer, @Nullable Throwable failure) {
        loop.deliver(() -> {
            if (answer != null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(failure == null ? new IOException("the connection was closed") : failure);
            }
        });
    }

    /** Receives the answer, on the connection's loop. */
    private final class Answer implements FrameHandler {
        private final WireConnection connection;
        private final CompletableFuture<MembersMessage> result;

        Answer(WireConnection connection, CompletableFuture<MembersMessage> result) {
            this.connection = connection;
            this.result = result;
        }

        @Override
        public void frame(int type, int stream, ByteBuf payload) {
            MembersFrame frame = MembersFrame.of(type);
            if (frame != MembersFrame.INTRODUCED && frame != MembersFrame.DONE) {
                throw new WireFault(Reason.UNKNOWN_TYPE, "not an answer of a member: 0x" + Integer.toHexString(type));
            }
            var _ = WireReader.i32(payload);
            complete(result, MembersCodec.read(frame, payload), null);
            connection.close();
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            complete(result, null, cause);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
