package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.DecoderLimits;
import io.weir.http.Progress;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.accesslog.RecordText;
import io.weir.proxy.program.match.MatchInput;
import io.weir.proxy.program.run.RequestContext;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request without a client: for {@link Explain} and tests. Confined to its thread, which is its loop; other threads
 * only queue tasks for it.
 */
public final class SyntheticRequest implements RequestContext {
    private final RequestHead head;
    private final InetAddress client;
    private final VirtualServer virtualServer;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private @Nullable RunState resumedWith;

    private SyntheticRequest(RequestHead head, InetAddress client, VirtualServer virtualServer) {
        this.head = head;
        this.client = client;
        this.virtualServer = virtualServer;
    }

    /**
     * Parses a head in wire format.
     *
     * @throws IllegalArgumentException saying why it is rejected
     */
    static SyntheticRequest of(
            String text, InetAddress client, VirtualServers servers, String listener, String preferred) {
        RequestDecoder decoder = new RequestDecoder(DecoderLimits.DEFAULT);
        ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        try {
            Progress progress = decoder.decode(in);
            if (progress != Progress.HEAD) {
                ProtocolFault fault = decoder.fault();
                throw new IllegalArgumentException(
                        "the request is rejected: " + (fault == null ? "its head is incomplete" : fault.detail()));
            }
            RequestHead head = decoder.head().copy();
            MatchInput host = new MatchInput();
            host.host(head.bytes(), head.hostStart(), head.hostEnd());
            VirtualServer server = servers.select(listener, preferred, host.hostBytes, host.hostFrom, host.hostTo);
            return new SyntheticRequest(head, client, server);
        } finally {
            in.release();
        }
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public InetAddress clientAddress() {
        return client;
    }

    @Override
    public boolean secure() {
        return false;
    }

    @Override
    public VirtualServer virtualServer() {
        return virtualServer;
    }

    @Override
    public Executor loop() {
        return tasks::add;
    }

    /** Runs one task queued on the loop; returns whether there was one. */
    boolean turn() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /**
     * Runs tasks until the waiting run has resumed.
     *
     * @param millis longest wait for each task
     * @return null if no task arrived in time
     */
    @Nullable
    RunState await(long millis) {
        resumedWith = null;
        try {
            while (resumedWith == null) {
                Runnable task = tasks.poll(millis, TimeUnit.MILLISECONDS);
                if (task == null) {
                    return null;
                }
                task.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return resumedWith;
    }

    @Override
    public void resumed(RunState state) {
        resumedWith = state;
    }

    @Nullable
    RunState resumedWith() {
        return resumedWith;
    }

    @Override
    public void logValue(LogVariable variable, RecordText out) {
        if (variable == LogVariable.CLIENT_IP) {
            out.append(client.getHostAddress());
        } else if (variable == LogVariable.REQUEST_LINE) {
            out.append(head.bytes(), 0, head.targetEnd());
        }
    }

    @Override
    public int logStatus() {
        return 0;
    }

    @Override
    public void logCookie(String name, RecordText out) {
        // nothing is recorded
    }

    @Override
    public void logRequestField(String name, RecordText out) {
        out.append(head.fields().combined(name));
    }

    @Override
    public void logResponseField(String name, RecordText out) {
        // nothing is answered
    }

    @Override
    public void logVariable(String name, RecordText out) {
        // nothing is recorded
    }
}
