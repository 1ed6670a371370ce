package io.weir.kernel.mux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.socket.SocketChannel;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Configs;
import io.weir.kernel.KernelParts;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.Machine;
import io.weir.kernel.settings.MuxerKind;
import java.io.FileNotFoundException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MuxerChoiceTest {
    private static Function<Transport, @Nullable Throwable> missing(Transport... transports) {
        Set<Transport> all = Set.of(transports);
        return t -> all.contains(t)
                ? new UnsatisfiedLinkError("no lib").initCause(new FileNotFoundException("lib.so"))
                : null;
    }

    @Test
    void autoTakesEpollAndNeverIoUring() {
        assertThat(MuxerChoice.choose(MuxerKind.AUTO, missing()).kind()).isEqualTo(MuxerKind.EPOLL);
        MuxerChoice fallen = MuxerChoice.choose(MuxerKind.AUTO, missing(Transport.EPOLL));
        assertThat(fallen.kind()).isEqualTo(MuxerKind.NIO);
        assertThat(fallen.missing()).isEqualTo(MuxerKind.EPOLL);
        assertThat(fallen.reason()).contains("no lib").contains("lib.so");
    }

    @Test
    void forbiddenIoUringFallsBackToEpollAndThenToNio() {
        assertThat(MuxerChoice.choose(MuxerKind.IO_URING, missing()).kind()).isEqualTo(MuxerKind.IO_URING);
        MuxerChoice one = MuxerChoice.choose(MuxerKind.IO_URING, missing(Transport.IO_URING));
        assertThat(one.kind()).isEqualTo(MuxerKind.EPOLL);
        assertThat(one.missing()).isEqualTo(MuxerKind.IO_URING);
        MuxerChoice both = MuxerChoice.choose(MuxerKind.IO_URING, missing(Transport.IO_URING, Transport.EPOLL));
        assertThat(both.kind()).isEqualTo(MuxerKind.NIO);
    }

    @Test
    void nioOnRequestIsNoFallBack() {
        assertThat(MuxerChoice.choose(MuxerKind.NIO, missing()).fellBack()).isFalse();
    }

    private final RecordingLog log = new RecordingLog();
    private final KernelParts parts = new KernelParts(
            new Live<>(Configs.kernel("socket-readers=1")), Map.of(), SystemClock.INSTANCE, new Stats(), log);
    private final KernelLimits limits = new KernelLimits(
            parts.config(), new Machine(1024, 1), Configs.work().mostThreads(new Machine(1024, 1)));

    private static void stop(Muxers muxers) {
        muxers.group().shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void fallBackIsSaidWithReason() {
        Muxers muxers = MuxerStart.start(
                parts.context(),
                limits,
                MuxerChoice.choose(MuxerKind.AUTO, missing(Transport.EPOLL)),
                Transport::polling);
        stop(muxers);
        assertThat(log.count(KernelMessages.MUXER_FALLBACK)).isOne();
        assertThat(log.entries().getFirst().arguments().subList(0, 2)).containsExactly("epoll", "nio");
        assertThat(log.count(KernelMessages.JAVA_IO)).isOne();
    }

    @Test
    void muxerThatLoadsButCannotBeMadeFallsBackToo() {
        MuxerChoice ring = MuxerChoice.choose(MuxerKind.IO_URING, missing());
        Muxers muxers = MuxerStart.start(parts.context(), limits, ring, t -> {
            if (t == Transport.IO_URING) {
                throw new IllegalStateException("failed to create a child event loop");
            }
            return t.polling();
        });
        stop(muxers);
        assertThat(muxers.choice().kind()).isEqualTo(MuxerKind.NIO);
        assertThat(muxers.choice().missing()).isEqualTo(MuxerKind.IO_URING);
        assertThat(log.count(KernelMessages.MUXER_FALLBACK)).isOne();
    }

    /** Netty sets TCP_NODELAY itself, so connections to origins do not set it again. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    void socketsToOriginsSendSmallPiecesAtOnce(Transport transport) throws Exception {
        assumeThat(transport.unavailable()).isNull();
        for (InetAddress to : List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"))) {
            SocketChannel channel = transport.client(to).newChannel();
            assertThat(channel.config().isTcpNoDelay()).isTrue();
            channel.unsafe().closeForcibly();
        }
    }
}
