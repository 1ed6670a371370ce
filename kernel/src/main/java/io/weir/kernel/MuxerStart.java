package io.weir.kernel;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.base.Log;
import java.util.concurrent.TimeUnit;

/** Starts a kernel's muxers and says which they are. Stateless. */
final class MuxerStart {
    private static final int DEFAULT_PERCENT = 33;

    private MuxerStart() {}

    static Muxers start(KernelParts parts, Limits limits, MuxerChoice choice) {
        Log log = parts.log();
        MuxerKind kind = choice.kind();
        int readers = limits.socketReaders(kind);
        if (choice.missing() != null) {
            log.log(
                    KernelMessages.MUXER_FALLBACK,
                    choice.missing().spelling(),
                    kind.spelling(),
                    String.valueOf(choice.reason()));
        }
        log.log(kind.isNative() ? KernelMessages.NATIVE_IO : KernelMessages.JAVA_IO, kind.spelling(), readers);
        limits.tell(log, limits.config().socketReaders(), "socket-readers", readers);
        int percent = limits.config().percentSocketReaders();
        if (kind.isNative() && percent != DEFAULT_PERCENT) {
            log.log(KernelMessages.PERCENT_MEANINGLESS, percent, kind.spelling());
        }
        ExecuteThreads threads = new ExecuteThreads(parts.name() + ".socket.Muxer (" + kind.spelling() + ")", 0);
        IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
                readers, threads, choice.transport().polling());
        Muxers muxers = new Muxers(group, parts.clock(), log);
        for (Muxer m : muxers.all()) {
            // One after the other, so that thread numbers are muxer numbers.
            m.eventLoop().submit(() -> {}).awaitUninterruptibly(10, TimeUnit.SECONDS);
            parts.stats().gauge(KernelStats.MUXER_CONNECTIONS, m::connections, Integer.toString(m.index()));
        }
        return muxers;
    }
}
