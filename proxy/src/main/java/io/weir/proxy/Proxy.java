package io.weir.proxy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.TrafficLimits;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelConfig;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.client.ClientPipelines;
import io.weir.proxy.context.Buffers;
import io.weir.proxy.context.EngineCounters;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.context.KernelPools;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.ProxyContext;
import io.weir.proxy.exchange.ErrorAnswers;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.fields.ProxyName;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.program.ErrorPages;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.proxy.program.config.TrustedProxies;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.qos.Qos;
import io.weir.proxy.upstream.AddressShares;
import io.weir.proxy.upstream.OriginBounds;
import io.weir.proxy.upstream.OriginSecurity;
import io.weir.proxy.upstream.OriginWatch;
import io.weir.proxy.upstream.Origins;
import io.weir.proxy.upstream.Upstream;
import io.weir.proxy.upstream.UpstreamCounters;
import io.weir.proxy.upstream.UpstreamSettings;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP proxy on a kernel: forward, reverse and tunnels, with a memory cache. One for each server; shared by its
 * muxers, each of which has its own clients, exchanges and origin side.
 */
public final class Proxy implements Protocol, AutoCloseable {
    private static final String PRODUCT = "Weir";

    private final ProxyParts parts;
    private final KernelPools workPools;
    private final ProxyContext context;
    private final UpstreamSettings upstreamSettings;
    private final OriginSecurity originTls;
    private final DemoOrigin demo;
    private final Origins origins;
    private final OriginWatch watch;
    private final List<ProxyLoop> loops;

    /**
     * Creates a proxy; connections are added by {@link #install}.
     *
     * @throws IllegalArgumentException if the routes do not compile, naming every problem
     */
    public Proxy(ProxyParts parts) {
        this.parts = parts;
        ProxyConfig config = parts.config().get();
        EngineCounters counters = new EngineCounters(parts.stats());
        UpstreamCounters upstreamCounters = new UpstreamCounters(parts.stats(), counters.http2);
        this.workPools = new KernelPools(parts.kernel());
        ProgramHost host = new ProgramHost(workPools, parts.logins(), parts.clock(), parts.stats(), parts.log());
        this.originTls = new OriginSecurity(config.originTls(), parts.kernel(), parts.stats());
        Qos qos = new Qos(config.clientLimits(), parts.clock(), parts.chance(), parts.stats());
        this.demo = new DemoOrigin(parts.kernel(), parts.clock());
        this.origins = new Origins(
                parts.kernel().muxers().all().size(), parts.clock(), parts.stats(), parts.log(), this::originRemoved);
        this.context = new ProxyContext(
                new ProxyContext.Parts(
                        parts.kernel(),
                        parts.config(),
                        newCache(parts),
                        workPools,
                        host,
                        qos,
                        counters,
                        new ProxyName(config.pseudonym(parts.instance())),
                        parts.accessLogs(),
                        parts.clock(),
                        parts.log()),
                compile(config));
        this.upstreamSettings = new UpstreamSettings(parts.config(), parts.kernel());
        ErrorAnswers errors = new ErrorAnswers(new ErrorPages(PRODUCT), host);
        this.loops = parts.kernel().muxers().all().stream()
                .map(muxer -> loop(muxer, upstreamCounters, errors))
                .toList();
        parts.kernel().pressure().also(this::fullest);
        this.watch = new OriginWatch(
                loops.getFirst().upstream(),
                origins::all,
                upstreamSettings::dnsExpireSeconds,
                upstreamSettings::dnsNegativeSeconds,
                parts.stats());
        origins.configure(context.program(), config.origins());
        watch.update();
        follow();
    }

    private static Cache newCache(ProxyParts parts) {
        return new Cache(
                parts.cache(),
                UnpooledByteBufAllocator.DEFAULT,
                parts.clock(),
                parts.chance(),
                parts.stats(),
                parts.log());
    }

    /** Utilisation of the busiest origin, over all muxers. */
    private double fullest() {
        return loops.stream()
                .mapToDouble(loop -> loop.upstream().fullest())
                .max()
                .orElse(0);
    }

    private ProxyLoop loop(Muxer muxer, UpstreamCounters counters, ErrorAnswers errors) {
        LoopContext loop = new LoopContext(context, muxer);
        Upstream upstream = new Upstream(loop, upstreamSettings, originTls, counters);
        upstream.gauges(parts.stats());
        Exchanges exchanges = new Exchanges(loop, upstream, origins, demo::key, errors);
        return new ProxyLoop(
                muxer.eventLoop(),
                upstream,
                new ClientPipelines(exchanges, () -> parts.config().get().http2()));
    }

    /** The proxy's parts on one muxer. */
    private record ProxyLoop(EventLoop muxer, Upstream upstream, ClientPipelines clients) {}

    private void follow() {
        parts.config().observe(this::reconfigure);
        parts.config().observe(_ -> limit());
        parts.listeners().observe(_ -> limit());
        parts.virtualServers().observe(_ -> limit());
        parts.virtualServers().observe(_ -> reconfigure(parts.config().get()));
    }

    private Program compile(ProxyConfig config) {
        if (config.routes().isEmpty() || config.routes().stream().anyMatch(RouteConfig::demo)) {
            demo.open();
        }
        Program program = Programs.compile(config, parts.virtualServers().get(), workPools, parts.functions(), null)
                .orThrow();
        program.begin(parts.stats());
        return program;
    }

    /** Everything is created before anything is activated; on a failure the old state remains. */
    private void reconfigure(ProxyConfig config) {
        try {
            Program next = compile(config);
            TrustedProxies trusted = new TrustedProxies(config.trustedProxies());
            InetAddress bind = UpstreamSettings.localAddress(config);
            context.settings(config, trusted);
            upstreamSettings.bind(bind);
            origins.configure(next, config.origins());
            context.program(next);
            watch.update();
        } catch (IllegalArgumentException e) {
            parts.log().log(EngineMessages.RECONFIGURE_FAILED, Buffers.reason(e));
        }
    }

    private void limit() {
        Map<String, TrafficLimits> listeners = new HashMap<>();
        parts.listeners().get().forEach((name, l) -> {
            listeners.put(name, l.limits());
            if (l.protocol() == ListenerProtocol.HTTP) {
                parts.stats().counter(Http2Stats.CONNECTIONS, name);
            }
        });
        Map<String, TrafficLimits> servers = new HashMap<>();
        parts.virtualServers().get().forEach((name, v) -> servers.put(name, v.limits()));
        ProxyConfig config = parts.config().get();
        context.qos().limit(listeners, servers, config.clientLimits(), config.trafficFigures());
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        loops.get(connection.muxer().index()).clients().install(connection, pipeline);
    }

    /** An origin gets no more requests: closes its idle connections. */
    private void originRemoved(OriginKey origin) {
        for (ProxyLoop loop : loops) {
            var _ = loop.muxer().submit(() -> loop.upstream().originRemoved(origin));
        }
    }

    /** Applies live changes of the kernel's section. */
    public void kernelChanged(KernelConfig kernel) {
        context.kernelChanged(kernel);
    }

    /** The memory cache, for the administration. */
    public Cache cache() {
        return context.cache();
    }

    /** The program in force. */
    public Program program() {
        return context.program();
    }

    /** The limits on traffic. */
    public Qos qos() {
        return context.qos();
    }

    /** This proxy's name in Via and Cache-Status. */
    public String pseudonym() {
        return context.name().pseudonym();
    }

    /** The pools in force, for the views. */
    public List<ServerPool> originPools() {
        return origins.all();
    }

    OriginBounds bounds() {
        return upstreamSettings.bounds();
    }

    /** The current bound on connections to one origin, in use and idle together. */
    public int maxConnectionsPerOrigin() {
        return bounds().perOrigin();
    }

    /** The current bound on fetches for one client address; 0 without a bound. */
    public int maxFetchesPerAddress() {
        int most = bounds().perAddress();
        return most == AddressShares.ALL ? 0 : most;
    }

    /** Closes idle origin connections, the demo origin and the cache; the kernel must have been drained. */
    @Override
    public void close() {
        demo.close();
        for (int i = 0; i < loops.size(); i++) {
            ProxyLoop loop = loops.get(i);
            EventLoop muxer = loop.muxer();
            if (!muxer.isShuttingDown()) {
                if (i == 0) {
                    muxer.submit(watch::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
                }
                muxer.submit(loop.upstream()::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
            }
        }
        originTls.close();
        context.cache().close();
    }
}
