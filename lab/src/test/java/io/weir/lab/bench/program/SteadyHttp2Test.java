package io.weir.lab.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.weir.base.SystemClock;
import io.weir.lab.load.OpenLoop;
import io.weir.lab.scenario.Certificates;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The steady load over HTTP/2 under TLS, against Netty's codec. */
@Timeout(300)
final class SteadyHttp2Test {
    @TempDir
    private static Path keys;

    private final Sockets sockets = new Sockets();
    private final List<SslContext> contexts = new ArrayList<>();

    @BeforeAll
    static void certificate() throws Exception {
        Certificates.in(keys);
        Files.copy(keys.resolve("certificate.pem"), keys.resolve("cert.pem"));
    }

    @AfterEach
    void close() {
        sockets.close();
        contexts.forEach(ReferenceCountUtil::release);
    }

    @SafeVarargs
    private int server(boolean http2, Supplier<ChannelHandler>... handlers) throws Exception {
        SslContext tls = Sockets.tls(keys, http2);
        contexts.add(tls);
        Channel listening = sockets.listen(0, c -> {
            c.pipeline().addLast(tls.newHandler(c.alloc()));
            for (Supplier<ChannelHandler> each : handlers) {
                c.pipeline().addLast(each.get());
            }
        });
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    private static OpenLoop.Found run(int port, double perSecond, int connections, int streams) throws IOException {
        return OpenLoop.run(new OpenLoop.Plan(port, "/o", perSecond, 1, connections, streams), SystemClock.INSTANCE);
    }

    /** Larger than a frame, and together larger than a window that is not opened. */
    @Test
    void everyRequestThatWasDueIsAnsweredAndTimed() throws Exception {
        ByteBuf body = BareHttp2.body(100_000);
        OpenLoop.Found found = run(server(true, () -> BareHttp2.with(body)), 500, 2, 32);
        assertThat(found.unanswered()).isZero();
        assertThat(found.nanos().getTotalCount()).isEqualTo(500);
        assertThat(found.late().getTotalCount()).isEqualTo(500);
    }

    /** Streams enough for all of them would not help: each is late from when it was due. */
    @Test
    @Tag("nightly")
    void pauseOfTheServerIsCountedForAllThatWereDueInIt() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        ByteBuf body = BareHttp2.body(10);
        int port = server(true, () -> new Pausing(reads, over), () -> BareHttp2.with(body));
        OpenLoop.Found found = run(port, 1000, 1, 8);
        over.countDown();
        assertThat(found.nanos().getTotalCount()).isEqualTo(1000);
        assertThat(found.nanos().getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(50), Long.MAX_VALUE / 2))
                .as("answers later than 50 ms, of a pause of 300 ms")
                .isGreaterThan(200);
    }

    /** Stops its connection's loop once, for 300 ms, by a latch that nobody opens in time. */
    private static final class Pausing extends ChannelInboundHandlerAdapter {
        private final AtomicInteger reads;
        private final CountDownLatch over;

        Pausing(AtomicInteger reads, CountDownLatch over) {
            this.reads = reads;
            this.over = over;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            if (reads.incrementAndGet() == 50) {
                var _ = over.await(300, TimeUnit.MILLISECONDS);
            }
            ctx.fireChannelRead(message);
        }
    }

    @Test
    void serverThatAgreesOnHttp1OnlyIsAFailure() throws Exception {
        int port = server(false, () -> new BareAnswer(BareAnswer.of(5)));
        assertThatThrownBy(() -> run(port, 10, 1, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not agree on HTTP/2");
    }

    @Test
    @Tag("nightly")
    void answersThatRefuseAreAFailure() throws Exception {
        assertRefused(
                s -> new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("404"), true).stream(s),
                "the server refuses");
        assertRefused(s -> new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM).stream(s), "resets a stream, error 7");
        assertRefused(_ -> new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR), "GOAWAY, error 0");
    }

    private void assertRefused(Function<Http2FrameStream, Http2Frame> answer, String message) throws Exception {
        int port = server(true, () -> Http2FrameCodecBuilder.forServer().build(), () -> new Answering(answer));
        assertThatThrownBy(() -> run(port, 10, 1, 4))
                .hasRootCauseInstanceOf(IOException.class)
                .hasStackTraceContaining(message);
    }

    private static final class Answering extends ChannelInboundHandlerAdapter {
        private final Function<Http2FrameStream, Http2Frame> answer;

        Answering(Function<Http2FrameStream, Http2Frame> answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http2HeadersFrame head) {
                assertThat(head.headers().path()).hasToString("/o");
                assertThat(head.headers().authority()).hasToString("bench.test");
                var _ = ctx.writeAndFlush(answer.apply(head.stream()));
            }
            ReferenceCountUtil.release(message);
        }
    }

    /** The load's requests name entries of it. */
    @Test
    @Tag("nightly")
    void serverWithoutAHeaderTableIsAFailure() throws Exception {
        int port = server(
                true,
                () -> Http2FrameCodecBuilder.forServer()
                        .initialSettings(Http2Settings.defaultSettings().headerTableSize(0))
                        .build(),
                () -> new Answering(
                        s -> new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"), true).stream(s)));
        assertThatThrownBy(() -> run(port, 100, 1, 4)).hasStackTraceContaining("a header table of 0 bytes");
    }

    /** Path and authority are literals at first, then entries of the table: the server sees no difference. */
    @Test
    void eachRequestSaysTheSame() throws Exception {
        int port = server(
                true,
                () -> Http2FrameCodecBuilder.forServer().build(),
                () -> new Answering(
                        s -> new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"), true).stream(s)));
        assertThat(run(port, 200, 2, 3).nanos().getTotalCount()).isEqualTo(200);
    }
}
