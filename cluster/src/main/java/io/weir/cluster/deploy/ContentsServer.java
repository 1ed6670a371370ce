package io.weir.cluster.deploy;

import io.netty.buffer.ByteBuf;
import io.weir.base.Log;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves this member's archives to other members. Shared by all connections; the disk is read on a dedicated thread.
 */
public final class ContentsServer implements AutoCloseable {
    private static final int QUEUE = 64;

    private final ArchiveStore store;
    private final String group;
    private final Log log;
    private final ThreadPoolExecutor reader;

    /**
     * Serves a store.
     *
     * @param group the group whose users may fetch archives
     */
    public ContentsServer(ArchiveStore store, String group, Log log) {
        this.store = store;
        this.group = group;
        this.log = log;
        this.reader = new ThreadPoolExecutor(
                0,
                1,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                r -> Thread.ofPlatform()
                        .daemon()
                        .name("ExecuteThread: '0' for queue: 'weir.cluster.Contents'")
                        .unstarted(r));
    }

    /** Handles the {@link ContentsFrames} of a connection, on its loop. */
    public FrameHandler frames(WireConnection connection) {
        return new FrameHandler() {
            @Override
            public void frame(int type, int stream, ByteBuf payload) {
                handle(connection, type, payload);
            }

            @Override
            public void closed(@Nullable Throwable cause) {
                // results of reads in progress are discarded
            }
        };
    }

    private void handle(WireConnection connection, int type, ByteBuf payload) {
        if (type != ContentsFrames.GIVE) {
            throw new WireFault(Reason.UNKNOWN_TYPE, "not a request for contents: 0x" + Integer.toHexString(type));
        }
        if (!connection.groups().contains(group)) {
            throw new WireFault(Reason.AUTHENTICATION, "contents of deployments are for members only");
        }
        int request = WireReader.i32(payload);
        WireReader.need(payload, ContentsFrames.SHA_BYTES);
        byte[] sha = new byte[ContentsFrames.SHA_BYTES];
        payload.readBytes(sha);
        long offset = WireReader.i64(payload);
        int wanted = WireReader.i32(payload);
        WireReader.end(payload);
        if (offset < 0 || wanted < 1) {
            throw new WireFault(Reason.MALFORMED, wanted + " bytes of contents from " + offset);
        }
        int most = Math.min(ContentsFrames.CHUNK, connection.maxFrame() - ContentsFrames.HEAD);
        try {
            reader.execute(() -> give(connection, request, sha, offset, Math.min(wanted, most)));
        } catch (RejectedExecutionException full) {
            send(connection, request, ContentsFrames.NOT_NOW, ByteBuffer.allocate(0));
        }
    }

    private void give(WireConnection to, int request, byte[] sha, long offset, int wanted) {
        ByteBuffer part = ByteBuffer.allocate(wanted);
        try {
            boolean here = store.read(HexFormat.of().formatHex(sha), offset, part);
            send(to, request, here ? ContentsFrames.HERE : ContentsFrames.NOT_HERE, part.flip());
        } catch (IOException e) {
            log.log(ClusterMessages.UNCAUGHT, "deployments' contents", e);
            send(to, request, ContentsFrames.NOT_NOW, ByteBuffer.allocate(0));
        }
    }

    private static void send(WireConnection to, int request, int status, ByteBuffer part) {
        ByteBuf out = to.newFrame(ContentsFrames.GIVEN, 0, 5 + part.remaining());
        out.writeInt(request).writeByte(status).writeBytes(part);
        to.send(out);
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
