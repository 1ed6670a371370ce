package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.wire.channel.Opened;
import io.weir.wire.login.Authenticator;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server's connection without a socket, with frames written by hand and time that stands still. */
public final class Ends implements AutoCloseable {
    public final Stats stats = new Stats();
    public final RecordingLog log = new RecordingLog();
    public final WireServer server;
    public final EmbeddedChannel channel = new EmbeddedChannel();

    @Nullable
    public Recorder handler;

    public Ends(String... settings) {
        this(TestServer.ANNA, NamingDirectory.empty(), settings);
    }

    public Ends(Authenticator authenticator, NamingDirectory directory, String... settings) {
        server = new WireServer(
                new Live<>(Configs.config(settings)),
                new WireServer.Parts(
                        authenticator,
                        directory,
                        c -> {
                            Recorder r = new Recorder(c);
                            handler = r;
                            return r;
                        },
                        stats,
                        log,
                        new SteppedClock(1_000)));
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.freezeTime();
        server.install(channel.pipeline());
    }

    public static ByteBuf frame(int type, int stream, ByteBuf payload) {
        ByteBuf out = Unpooled.buffer();
        out.writeInt(5 + payload.readableBytes())
                .writeByte(type)
                .writeInt(stream)
                .writeBytes(payload);
        payload.release();
        return out;
    }

    public static ByteBuf frame(int type, int stream, String text) {
        return frame(type, stream, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    }

    public static ByteBuf hello() {
        ByteBuf p = Unpooled.buffer();
        p.writeInt(Opened.MAGIC).writeByte(1).writeByte(1).writeInt(1 << 20).writeInt(1000);
        WireWriter.text(p, "test");
        return frame(WireFrame.HELLO.code(), 0, p);
    }

    public static ByteBuf auth(@Nullable String user, @Nullable String password) {
        ByteBuf p = Unpooled.buffer();
        WireWriter.text(p, "PLAIN");
        WireWriter.optionalText(p, user);
        WireWriter.optionalText(p, password);
        return frame(WireFrame.AUTH.code(), 0, p);
    }

    /** Logs in and drops the answers. */
    public Ends loggedIn() {
        in(hello());
        in(auth("anna", "secret"));
        out();
        return this;
    }

    public Ends in(ByteBuf bytes) {
        channel.writeInbound(bytes);
        channel.runPendingTasks();
        return this;
    }

    public Recorder handler() {
        Recorder h = handler;
        if (h == null) {
            throw new AssertionError("not logged in");
        }
        return h;
    }

    /** Frames that were sent, as type and payload, since the last call. */
    public List<Sent> out() {
        channel.runPendingTasks();
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf b = channel.readOutbound(); b != null; b = channel.readOutbound()) {
            all.writeBytes(b);
            b.release();
        }
        List<Sent> frames = new ArrayList<>();
        while (all.isReadable()) {
            int length = all.readInt();
            frames.add(new Sent(
                    all.readUnsignedByte(),
                    all.readInt(),
                    Unpooled.wrappedBuffer(ByteBufUtil.getBytes(all.readSlice(length - 5)))));
        }
        return frames;
    }

    /** A frame that was sent. */
    public record Sent(int type, int stream, ByteBuf payload) {
        @Nullable
        public WireFrame frame() {
            return WireFrame.of(type);
        }
    }

    /** The reason in the only frame that was sent since the last call, an ERROR. */
    public WireFault.Reason error() {
        Sent last = out().getLast();
        if (last.frame() != WireFrame.ERROR) {
            throw new AssertionError("no ERROR but " + last);
        }
        return WireFault.Reason.of(last.payload().readUnsignedShort());
    }

    public long faults(WireFault.Reason reason) {
        return stats.value(WireStats.FAULTS, reason.label());
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }
}
