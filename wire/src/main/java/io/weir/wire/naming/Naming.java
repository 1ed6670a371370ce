package io.weir.wire.naming;

import io.netty.buffer.ByteBuf;
import io.weir.wire.FrameHandler;
import io.weir.wire.LostConnection;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of naming on one connection: its handler, or a part of a handler that passes it the frames from
 * {@link WireFrame#FIRST_OF_NAMING} to {@link WireFrame#LAST_OF_NAMING} and notifies it of the close. Requests can be
 * made from any thread; they complete on the connection's loop.
 */
public final class Naming implements FrameHandler {
    private final WireConnection connection;
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<Integer, CompletableFuture<List<NamingEntry>>> pending = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Naming over a connection that is logged in. */
    public Naming(WireConnection connection) {
        this.connection = connection;
    }

    /** Looks up a name; completes with null if there is no such name. */
    public CompletableFuture<@Nullable NamingEntry> lookup(String name) {
        return request(WireFrame.LOOKUP, name).thenApply(found -> found.isEmpty() ? null : found.get(0));
    }

    /** The entries whose name begins with the prefix, sorted by name. */
    public CompletableFuture<List<NamingEntry>> list(String prefix) {
        return request(WireFrame.LIST, prefix);
    }

    private CompletableFuture<List<NamingEntry>> request(WireFrame type, String name) {
        CompletableFuture<List<NamingEntry>> answer = new CompletableFuture<>();
        int request = requests.incrementAndGet();
        pending.put(request, answer);
        ByteBuf out = connection.newFrame(type.code(), 0, 64);
        out.writeInt(request);
        WireWriter.text(out, name);
        connection.send(out);
        if (closed) {
            fail(new LostConnection("the connection is closed"));
        }
        return answer;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        WireFrame frame = WireFrame.of(type);
        int request = WireReader.i32(payload);
        List<NamingEntry> found = new ArrayList<>();
        if (frame == WireFrame.FOUND) {
            found.add(entry(payload));
        } else if (frame == WireFrame.LISTED) {
            int n = WireReader.i32(payload);
            for (int i = 0; i < n; i++) {
                found.add(entry(payload));
            }
        } else if (frame != WireFrame.NOT_FOUND) {
            throw new WireFault(Reason.UNKNOWN_TYPE, "not a response of naming: 0x" + Integer.toHexString(type));
        }
        CompletableFuture<List<NamingEntry>> answer = pending.remove(request);
        if (answer != null) {
            answer.complete(found);
        }
    }

    private static NamingEntry entry(ByteBuf in) {
        String kind = WireReader.text(in);
        String name = WireReader.text(in);
        int n = WireReader.count(in, 2);
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < n; i++) {
            attributes.put(WireReader.text(in), WireReader.text(in));
        }
        return new NamingEntry(kind, name, attributes);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        closed = true;
        fail(cause == null ? new LostConnection("the connection is closed") : cause);
    }

    private void fail(Throwable cause) {
        for (Integer request : List.copyOf(pending.keySet())) {
            CompletableFuture<List<NamingEntry>> answer = pending.remove(request);
            if (answer != null) {
                answer.completeExceptionally(cause);
            }
        }
    }
}
