package io.weir.kernel.mux;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.weir.base.Log;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.settings.MuxerKind;
import io.weir.kernel.work.ExecuteThreads;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Starts a kernel's muxers and logs their kind. Stateless. */
public final class MuxerStart {
    private static final int DEFAULT_PERCENT = 33;

    private MuxerStart() {}

    /** Starts the configured muxers, or a fallback if they are not available. */
    public static Muxers start(KernelContext kernel, KernelLimits limits) {
        MuxerChoice wanted = MuxerChoice.choose(limits.config().muxer(), Transport::unavailable);
        return start(kernel, limits, wanted, Transport::polling);
    }

    static Muxers start(
            KernelContext kernel,
            KernelLimits limits,
            MuxerChoice wanted,
            Function<Transport, IoHandlerFactory> polling) {
        MuxerChoice choice = wanted;
        IoEventLoopGroup group;
        try {
            group = group(kernel, limits, choice, polling);
        } catch (IllegalStateException e) {
            if (!choice.kind().isNative()) {
                throw e;
            }
            // It loads, but its rings or descriptors cannot be created here.
            choice = choice.fallBackToNio(e);
            group = group(kernel, limits, choice, polling);
        }
        logStarted(kernel.log(), limits, choice);
        Muxers muxers = new Muxers(choice, group, kernel.clock(), kernel.log());
        for (Muxer m : muxers.all()) {
            // One after the other, so that thread numbers equal muxer numbers.
            m.eventLoop().submit(() -> {}).awaitUninterruptibly(10, TimeUnit.SECONDS);
            kernel.stats().gauge(KernelStats.MUXER_CONNECTIONS, m::connections, Integer.toString(m.index()));
        }
        return muxers;
    }

    private static IoEventLoopGroup group(
            KernelContext kernel,
            KernelLimits limits,
            MuxerChoice choice,
            Function<Transport, IoHandlerFactory> polling) {
        String kind = choice.kind().spelling();
        ExecuteThreads threads = new ExecuteThreads(kernel.name() + ".socket.Muxer (" + kind + ")", 0);
        return ClosingLoop.group(limits.socketReaders(choice.kind()), threads, polling.apply(choice.transport()));
    }

    private static void logStarted(Log log, KernelLimits limits, MuxerChoice choice) {
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
        limits.logDerived(log, limits.config().socketReaders(), "socket-readers", readers);
        int percent = limits.config().percentSocketReaders();
        if (kind.isNative() && percent != DEFAULT_PERCENT) {
            log.log(KernelMessages.PERCENT_MEANINGLESS, percent, kind.spelling());
        }
    }
}
