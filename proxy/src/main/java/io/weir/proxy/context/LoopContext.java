package io.weir.proxy.context;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Clock;
import io.weir.http.DecoderLimits;
import io.weir.http.HeadScratch;
import io.weir.http.semantics.DateCache;
import io.weir.kernel.Kernel;
import io.weir.kernel.mux.Deadlines;
import io.weir.kernel.mux.Muxer;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.qos.Pacing;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by the requests of one muxer: its timers, scratch memory and lanes of the access logs. Confined to
 * the muxer; lives as long as the proxy.
 */
public final class LoopContext {
    private final ProxyContext proxy;
    private final Muxer muxer;
    private final HeadScratch scratch = new HeadScratch();
    private final DateCache dates = new DateCache();
    private final ByteBuf text = Unpooled.buffer(512);
    private final @Nullable LogLanes log;
    private final Supplier<DecoderLimits> requestLimits;
    private @Nullable Pacing pacing;

    public LoopContext(ProxyContext proxy, Muxer muxer) {
        this.proxy = proxy;
        this.muxer = muxer;
        this.requestLimits = () -> proxy.settings().requestLimits();
        this.log = proxy.newLogLanes();
    }

    public ProxyContext proxy() {
        return proxy;
    }

    public Kernel kernel() {
        return proxy.kernel();
    }

    public Muxer muxer() {
        return muxer;
    }

    public Clock clock() {
        return proxy.clock();
    }

    public Deadlines deadlines() {
        return muxer.deadlines();
    }

    public EngineSettings settings() {
        return proxy.settings();
    }

    public EngineCounters counters() {
        return proxy.counters();
    }

    /** Whether the calling thread is the muxer's, to which all of this is confined. */
    public boolean here() {
        return muxer.eventLoop().inEventLoop();
    }

    public HeadScratch scratch() {
        return scratch;
    }

    /** An empty heap buffer for building a text; valid until the next call. */
    public ByteBuf text() {
        return text.clear();
    }

    public Supplier<DecoderLimits> requestLimits() {
        return requestLimits;
    }

    /** The current date as 29 bytes; valid until the next call. */
    public byte[] dateNow() {
        return dates.at(proxy.clock().millis());
    }

    /** The muxer's part of the access logs; null if there is none. */
    @Nullable
    public LogLanes logLanes() {
        return log;
    }

    /** A run of the request program for a new exchange. */
    public ProgramRun newRun() {
        return new ProgramRun(proxy.programHost(), log);
    }

    /** The muxer's connections that wait for bandwidth. */
    public Pacing pacing() {
        Pacing p = pacing;
        if (p == null) {
            p = new Pacing(deadlines(), proxy.qos());
            pacing = p;
        }
        return p;
    }
}
