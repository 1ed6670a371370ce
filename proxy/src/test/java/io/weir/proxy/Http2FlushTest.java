package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Answers that are there at once go to an HTTP/2 client at once: one record, one system call. */
@ExtendWith(LeakCheck.class)
class Http2FlushTest {
    private static final int STREAMS = 8;

    /** Where a frame's type stands (RFC 9113 section 4.1). */
    private static final int TYPE = 3;

    @Test
    void answersOfSeveralOriginConnectionsInOneTurnAreFlushedOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(STREAMS);
        CountDownLatch written = new CountDownLatch(STREAMS);
        byte[] answer = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\nhello"
                .getBytes(StandardCharsets.ISO_8859_1);
        MuxerTurn turn = new MuxerTurn();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    asked.countDown();
                    MuxerTurn.await(go);
                    out.write(answer);
                    written.countDown();
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1")
                        .start()) {
            Listener listener = turn.listen(proxy);
            try (FrameClient client = new FrameClient(listener.address().getPort())) {
                for (int i = 0; i < STREAMS; i++) {
                    client.get(2 * i + 1, "/" + i);
                }
                MuxerTurn.await(asked);
                turn.hold(proxy);
                go.countDown();
                MuxerTurn.await(written);
                turn.release();
                for (int i = 0; i < STREAMS; i++) {
                    assertThat(new String(client.next(FrameClient.DATA).payload(), StandardCharsets.ISO_8859_1))
                            .isEqualTo("hello");
                }
                assertThat(turn.flushes()).isOne();
            }
        }
    }

    /** Whoever closes a connection, as the end of a drain does, takes no answer from it that was written before. */
    @Test
    void whatIsAnsweredBeforeACloseOfTheSameTurnIsSent() throws Exception {
        byte[] answer = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\nhello"
                .getBytes(StandardCharsets.ISO_8859_1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    out.write(answer);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1")
                        .start()) {
            Protocol closing = (connection, pipeline) -> {
                pipeline.addFirst(new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
                        ByteBuf frame = (ByteBuf) msg;
                        boolean head = frame.readableBytes() > TYPE
                                && frame.getByte(frame.readerIndex() + TYPE) == FrameClient.HEADERS;
                        var _ = ctx.write(msg, promise);
                        if (head) {
                            ctx.executor().execute(() -> {
                                var _ = ctx.channel().close();
                            });
                        }
                    }
                });
                proxy.proxy.install(connection, pipeline);
            };
            Listener listener = proxy.kernel.open("http", TestProxy.bind(ListenerConfig.class, "port=0"), closing);
            try (FrameClient client = new FrameClient(listener.address().getPort())) {
                client.get(1, "/");
                FrameClient.Frame data = client.next(FrameClient.DATA);
                assertThat(new String(data.payload(), StandardCharsets.ISO_8859_1))
                        .isEqualTo("hello");
                assertThat(data.ends()).isTrue();
            }
        }
    }

    /** RST_STREAM is the last frame of its stream, and what arrived before an origin died is not lost (RFC 9113 5.4.2). */
    @Test
    void whatAnOriginSentBeforeItDiedComesBeforeTheReset() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestProxy proxy = TestProxy.reversing(origin.getLocalPort())
                        .kernel("socket-readers=1")
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/");
            MuxerTurn turn = new MuxerTurn();
            try (Socket connection = origin.accept()) {
                OutputStream out = connection.getOutputStream();
                out.write("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 50\r\n\r\nhel"
                        .getBytes(StandardCharsets.ISO_8859_1));
                assertThat(text(client.next(FrameClient.DATA))).isEqualTo("hel");
                turn.hold(proxy);
                out.write("lo".getBytes(StandardCharsets.ISO_8859_1));
                // a reset, not a FIN: the muxer finds both in one turn
                connection.setSoLinger(true, 0);
            }
            turn.release();
            FrameClient.Frame data = client.next();
            assertThat(data.type()).as("the first frame afterwards").isEqualTo(FrameClient.DATA);
            assertThat(text(data)).isEqualTo("lo");
            assertThat(client.next(FrameClient.RST_STREAM).error()).isEqualTo(2);
            client.frame(FrameClient.PING, 0, 0, new byte[8]);
            assertThat(client.next().type()).as("nothing follows").isEqualTo(FrameClient.PING);
        }
    }

    private static String text(FrameClient.Frame data) {
        return new String(data.payload(), StandardCharsets.ISO_8859_1);
    }
}
