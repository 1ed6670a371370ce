package io.weir.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.wire.Recorder;
import io.weir.wire.WireConnection;
import io.weir.wire.WireStats;
import io.weir.wire.channel.OutboundMarks;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.channel.WireCounters;
import io.weir.wire.login.Credentials;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** A client's connection without a socket. */
public final class ClientEnd {
    private ClientEnd() {}

    /** Feeds it what a server might send; the worst is a failed or closed connection. */
    public static void feed(byte[] bytes, RandomGenerator random) {
        Stats stats = new Stats();
        CompletableFuture<WireConnection> result = new CompletableFuture<>();
        ClientOptions options = ClientOptions.DEFAULT;
        WireChannel wire = new WireChannel(
                new WireChannel.Parts(
                        new OutboundMarks(options.outboundLow(), options.outboundHigh(), options.outboundLimit()),
                        new WireCounters(stats),
                        new RecordingLog(),
                        false),
                new ClientHandshake(Credentials.NONE, options, Recorder::new, result));
        EmbeddedChannel channel = new EmbeddedChannel(wire);
        for (int at = 0; at < bytes.length && channel.isOpen(); ) {
            int n = Math.min(bytes.length - at, 1 + random.nextInt(64));
            channel.writeInbound(Unpooled.copiedBuffer(bytes, at, n));
            channel.runPendingTasks();
            at += n;
        }
        assertThat(stats.value(WireStats.UNCAUGHT))
                .as(() -> ByteBufUtil.hexDump(bytes))
                .isZero();
        channel.finishAndReleaseAll();
        assertThat(result).as(() -> ByteBufUtil.hexDump(bytes)).isDone();
    }
}
