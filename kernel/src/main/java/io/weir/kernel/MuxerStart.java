package io.weir.kernel;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.weir.base.Log;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Starts a kernel's muxers and says which they are. Stateless. */
final class MuxerStart {
    private static final int DEFAULT_PERCENT = 33;

    private MuxerStart() {}

    /** What was started: the choice may have changed, where a muxer loads but cannot be made. */
    record Started(MuxerChoice choice, Muxers muxers) {}

    static Started start(KernelParts parts, Limits limits, MuxerChoice wanted) {
        return start(parts, limits, wanted, Transport::polling);
    }

    static Started start(
            KernelParts parts, Limits limits, MuxerChoice wanted, Function<Transport, IoHandlerFactory> polling) {
        MuxerChoice choice = wanted;
        IoEventLoopGroup group;
        try {
            group = group(parts, limits, choice, polling);
        } catch (IllegalStateException e) {
            if (!choice.kind().isNative()) {
                throw e;
            }
            // It loads, but its rings or descriptors cannot be had here.
            choice = choice.standIn(e);
            group = group(parts, limits, choice, polling);
        }
        tell(parts.log(), limits, choice);
        Muxers muxers = new Muxers(group, parts.clock(), parts.log());
        for (Muxer m : muxers.all()) {
            // One after the other, so that thread numbers are muxer numbers.
            m.eventLoop().submit(() -> {}).awaitUninterruptibly(10, TimeUnit.SECONDS);
            parts.stats().gauge(KernelStats.MUXER_CONNECTIONS, m::connections, Integer.toString(m.index()));
        }
        return new Started(choice, muxers);
    }

    private static IoEventLoopGroup group(
            KernelParts parts, Limits limits, MuxerChoice choice, Function<Transport, IoHandlerFactory> polling) {
        String kind = choice.kind().spelling();
        ExecuteThreads threads = new ExecuteThreads(parts.name() + ".socket.Muxer (" + kind + ")", 0);
        return ClosingLoop.group(limits.socketReaders(choice.kind()), threads, polling.apply(choice.transport()));
    }

    private static void tell(Log log, Limits limits, MuxerChoice choice) {
        MuxerKind kind = choice.kind();
        if (choice.missing() != null) {
            log.log(
                    KernelMessages.MUXER_FALLBACK,
                    choice.missing().spelling(),
                    kind.spelling(),
                    String.valueOf(choice.reason()));
        }
        int readers = limits.socketReaders(kind);
        log.log(kind.isNative() ? KernelMessages.NATIVE_IO : KernelMessages.JAVA_IO, kind.spelling(), readers);
        limits.tell(log, limits.config().socketReaders(), "socket-readers", readers);
        int percent = limits.config().percentSocketReaders();
        if (kind.isNative() && percent != DEFAULT_PERCENT) {
            log.log(KernelMessages.PERCENT_MEANINGLESS, percent, kind.spelling());
        }
    }
}
