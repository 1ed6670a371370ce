package io.weir.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MuxerChoiceTest {
    private static Function<Transport, @Nullable Throwable> missing(Transport... transports) {
        Set<Transport> all = Set.of(transports);
        return t -> all.contains(t)
                ? new UnsatisfiedLinkError("no lib").initCause(new java.io.FileNotFoundException("lib.so"))
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

    @Test
    void fallBackIsSaidWithReason() {
        RecordingLog log = new RecordingLog();
        KernelParts parts = new KernelParts(
                new Live<>(Configs.kernel("socket-readers=1")), Map.of(), SystemClock.INSTANCE, new Stats(), log);
        Limits limits = new Limits(parts.config(), new Machine(1024, 1), Configs.work());
        MuxerChoice fallen = MuxerChoice.choose(MuxerKind.AUTO, missing(Transport.EPOLL));
        Muxers muxers = MuxerStart.start(parts, limits, fallen);
        try {
            assertThat(log.count(KernelMessages.MUXER_FALLBACK)).isOne();
            assertThat(log.entries().getFirst().arguments().subList(0, 2)).containsExactly("epoll", "nio");
            assertThat(log.count(KernelMessages.JAVA_IO)).isOne();
        } finally {
            muxers.group()
                    .shutdownGracefully(0, 0, java.util.concurrent.TimeUnit.SECONDS)
                    .syncUninterruptibly();
        }
    }
}
