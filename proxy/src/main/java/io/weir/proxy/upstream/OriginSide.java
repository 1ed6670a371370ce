package io.weir.proxy.upstream;

import io.netty.channel.EventLoop;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.http2.Http2Counters;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.Program;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The side of a proxy that faces the origins: their pools, what watches them, TLS and settings, and the connections of
 * each muxer. One for each proxy; shared by its muxers.
 */
public final class OriginSide implements AutoCloseable {
    private final UpstreamSettings settings;
    private final OriginSecurity tls;
    private final Origins origins;
    private final List<Upstream> muxers;
    private final OriginWatch watch;

    /**
     * What it is made of. Immutable.
     *
     * @param http2 counters of connections to clients and origins
     */
    public record Parts(
            Kernel kernel, Live<ProxyConfig> config, Clock clock, Stats stats, Log log, Http2Counters http2) {}

    /**
     * Creates it without a pool.
     *
     * @param loops the muxers' contexts, in the order of the muxers
     * @throws IllegalArgumentException if the configuration's local address is none
     */
    public OriginSide(Parts parts, List<LoopContext> loops) {
        this.settings = new UpstreamSettings(parts.config(), parts.kernel());
        this.tls = new OriginSecurity(parts.config().get().originTls(), parts.kernel(), parts.stats());
        OriginConnector.Tls members =
                new MemberSecurity(loops.getFirst().proxy().owners());
        UpstreamCounters counters = new UpstreamCounters(parts.stats(), parts.http2());
        this.origins = new Origins(loops.size(), parts.clock(), parts.stats(), parts.log(), this::removed);
        this.muxers = loops.stream()
                .map(loop -> new Upstream(loop, settings, tls, members, counters))
                .toList();
        muxers.forEach(upstream -> upstream.gauges(parts.stats()));
        this.watch = new OriginWatch(
                muxers.getFirst(),
                origins::all,
                settings::dnsExpireSeconds,
                settings::dnsNegativeSeconds,
                parts.stats());
        parts.kernel().pressure().also(this::fullest);
    }

    /** Utilisation of the busiest origin, over all muxers. */
    private double fullest() {
        return muxers.stream().mapToDouble(Upstream::fullest).max().orElse(0);
    }

    /** The connections of a muxer. */
    public Upstream upstream(LoopContext loop) {
        return muxers.get(loop.muxer().index());
    }

    /** The pools in force. */
    public Origins origins() {
        return origins;
    }

    /**
     * Checks a changed configuration, of which nothing applies yet.
     *
     * @return applies it; cannot fail
     * @throws IllegalArgumentException if it is not valid
     */
    public Runnable prepare(Program program, ProxyConfig config) {
        InetAddress bind = UpstreamSettings.localAddress(config);
        return () -> {
            settings.bind(bind);
            origins.configure(program, config.origins());
            watch.update();
        };
    }

    /** An origin gets no more requests: closes its idle connections. */
    private void removed(OriginKey origin) {
        for (Upstream upstream : muxers) {
            var _ = eventLoop(upstream).submit(() -> upstream.originRemoved(origin));
        }
    }

    /** Another member has left the cluster. From any thread. */
    public void memberLeft(OriginKey member) {
        for (Upstream upstream : muxers) {
            var _ = eventLoop(upstream).submit(() -> upstream.memberLeft(member));
        }
    }

    /** All pools, by name. */
    public List<ServerPool> pools() {
        return origins.all();
    }

    /** The bounds on connections in force. */
    public OriginBounds bounds() {
        return settings.bounds();
    }

    /** The bound on fetches for one client address; 0 without a bound. */
    public int maxFetchesPerAddress() {
        int most = bounds().perAddress();
        return most == AddressShares.ALL ? 0 : most;
    }

    /** Closes idle connections; the kernel must have been drained. */
    @Override
    public void close() {
        for (Upstream upstream : muxers) {
            EventLoop muxer = eventLoop(upstream);
            if (!muxer.isShuttingDown()) {
                if (upstream.equals(muxers.getFirst())) {
                    muxer.submit(watch::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
                }
                muxer.submit(upstream::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
            }
        }
        tls.close();
    }

    private static EventLoop eventLoop(Upstream upstream) {
        return upstream.loop().muxer().eventLoop();
    }
}
