package io.weir.proxy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.NetUtil;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.structured.StructuredSerializer;
import io.weir.kernel.Connection;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelConfig;
import io.weir.kernel.Muxer;
import io.weir.kernel.PlainHttp2;
import io.weir.kernel.Protocol;
import io.weir.kernel.TrafficLimits;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.http2.Http2Session;
import io.weir.proxy.origins.OriginKey;
import io.weir.proxy.origins.ServerPool;
import io.weir.proxy.program.ClientCertificateMode;
import io.weir.proxy.program.DnsConfig;
import io.weir.proxy.program.ErrorPages;
import io.weir.proxy.program.ForwardedMode;
import io.weir.proxy.program.NameServer;
import io.weir.proxy.program.OriginPoolConfig;
import io.weir.proxy.program.Program;
import io.weir.proxy.program.ProgramHost;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.ProxyConfig;
import io.weir.proxy.program.RouteConfig;
import io.weir.proxy.program.TrustedProxies;
import io.weir.proxy.qos.Qos;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP proxy on a kernel: forward, reverse and tunnels, with a memory cache. One for each server; shared by its
 * muxers, each of which has a {@link LoopContext} of its own.
 */
public final class Proxy implements Protocol, AutoCloseable {
    private static final String PRODUCT = "Weir";

    private final ProxyParts parts;
    private final EngineCounters counters;
    private final Cache cache;
    private final KernelPools pools;
    private final ProgramHost programHost;
    private final ErrorAnswers errors;
    private final List<LoopContext> loops;
    private final byte[] via10;
    private final byte[] via11;
    private final byte[] via2;
    private final byte[] cacheStatusStart;
    private final OriginSecurity originTls;
    private final DemoOrigin demo;
    private final Origins origins;
    private final OriginWatch watch;
    private final String pseudonym;
    private final Qos qos;
    private volatile EngineSettings settings;
    private volatile @Nullable Tight tight;
    private volatile Program program;
    private volatile TrustedProxies trusted;
    private volatile Trailers trailers;
    private volatile @Nullable InetAddress bind;

    /**
     * Makes a proxy; connections come through {@link #install}.
     *
     * @throws IllegalArgumentException when the routes do not compile, naming every problem
     */
    public Proxy(ProxyParts parts) {
        this.parts = parts;
        this.counters = new EngineCounters(parts.stats());
        this.cache = new Cache(
                parts.cache(),
                UnpooledByteBufAllocator.DEFAULT,
                parts.clock(),
                parts.chance(),
                parts.stats(),
                parts.log());
        this.pools = new KernelPools(parts.kernel());
        this.programHost = new ProgramHost(pools, parts.logins(), parts.clock(), parts.stats(), parts.log());
        this.errors = new ErrorAnswers(new ErrorPages(PRODUCT), programHost);
        this.pseudonym = parts.config().get().pseudonym(parts.instance());
        this.via10 = ascii("Via: " + Relay.via(Version.HTTP_1_0) + ' ' + pseudonym + "\r\n");
        this.via11 = ascii("Via: " + Relay.via(Version.HTTP_1_1) + ' ' + pseudonym + "\r\n");
        this.via2 = ascii("Via: " + Relay.via(Version.HTTP_2) + ' ' + pseudonym + "\r\n");
        this.cacheStatusStart = ascii("Cache-Status: " + StructuredSerializer.name(pseudonym));
        this.originTls = new OriginSecurity(parts.config().get().originTls(), parts.kernel(), parts.stats());
        this.qos = new Qos(parts.config().get().clientLimits(), parts.clock(), parts.chance(), parts.stats());
        this.demo = new DemoOrigin(parts.kernel(), parts.clock());
        this.settings =
                EngineSettings.of(parts.kernel().config(), parts.config().get());
        this.origins = new Origins(
                parts.kernel().muxers().all().size(), parts.clock(), parts.stats(), parts.log(), this::left);
        this.program = compile(pools, parts.config().get());
        this.cache.servers(program.virtualServers().keyed());
        this.trusted = new TrustedProxies(parts.config().get().trustedProxies());
        this.trailers = new Trailers(parts.config().get().trailers());
        this.bind = localAddress(parts.config().get());
        List<LoopContext> contexts = new ArrayList<>();
        for (Muxer muxer : parts.kernel().muxers().all()) {
            LoopContext loop = new LoopContext(this, muxer);
            contexts.add(loop);
            gauges(loop);
        }
        this.loops = List.copyOf(contexts);
        parts.kernel()
                .pressure()
                .also(() -> loops.stream()
                        .mapToDouble(loop -> loop.pool().fullest())
                        .max()
                        .orElse(0));
        this.watch = new OriginWatch(
                loops.getFirst(),
                origins::all,
                () -> parts.config().get().dns().expire().toSeconds(),
                () -> parts.config().get().dns().negative().toSeconds(),
                parts.stats());
        origins.configure(program, parts.config().get().origins());
        watch.update();
        parts.config().observe(config -> reconfigure(pools, config));
        parts.config().observe(_ -> limit());
        parts.listeners().observe(_ -> limit());
        parts.virtualServers().observe(_ -> limit());
        parts.virtualServers().observe(_ -> reconfigure(pools, parts.config().get()));
    }

    private Program compile(KernelPools pools, ProxyConfig config) {
        if (config.routes().isEmpty() || config.routes().stream().anyMatch(RouteConfig::demo)) {
            demo.open();
        }
        return Programs.compile(config, parts.virtualServers().get(), pools, parts.functions(), null)
                .orThrow();
    }

    /** Everything is made before anything is put in force; what cannot be made leaves the old state. */
    private void reconfigure(KernelPools pools, ProxyConfig config) {
        try {
            Program next = compile(pools, config);
            TrustedProxies nextTrusted = new TrustedProxies(config.trustedProxies());
            InetAddress nextBind = localAddress(config);
            settings = EngineSettings.of(parts.kernel().config(), config);
            trusted = nextTrusted;
            trailers = new Trailers(config.trailers());
            bind = nextBind;
            origins.configure(next, config.origins());
            program = next;
            cache.servers(next.virtualServers().keyed());
            watch.update();
        } catch (IllegalArgumentException e) {
            parts.log().log(EngineMessages.RECONFIGURE_FAILED, Buffers.reason(e));
        }
    }

    private void limit() {
        Map<String, TrafficLimits> listeners = new HashMap<>();
        parts.listeners().get().forEach((name, l) -> listeners.put(name, l.limits()));
        Map<String, TrafficLimits> servers = new HashMap<>();
        parts.virtualServers().get().forEach((name, v) -> servers.put(name, v.limits()));
        ProxyConfig config = parts.config().get();
        qos.limit(listeners, servers, config.clientLimits(), config.trafficFigures());
    }

    private static @Nullable InetAddress localAddress(ProxyConfig config) {
        String text = config.originPool().bind();
        if (text == null || text.isEmpty()) {
            return null;
        }
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(text);
        if (literal == null) {
            throw new IllegalArgumentException("proxy.origin-pool.bind: expected an address, found \"" + text + "\"");
        }
        return literal;
    }

    private void gauges(LoopContext loop) {
        String muxer = Integer.toString(loop.muxer().index());
        Stats stats = parts.stats();
        stats.gauge(EngineStats.ORIGIN_CONNECTIONS, loop::originConnections, muxer);
        stats.gauge(EngineStats.ORIGIN_IDLE, loop::idleOriginConnections, muxer);
        stats.gauge(EngineStats.ORIGIN_WAITING, loop::waitingForOrigins, muxer);
        stats.gauge(EngineStats.DNS_ENTRIES, () -> loop.dns().size(), muxer);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        PlainHttp2 plain = connection.secure()
                ? PlainHttp2.REFUSED
                : connection.listener().config().http2();
        if (plain == PlainHttp2.ONLY || (connection.secure() && "h2".equals(connection.alpn()))) {
            speakHttp2(connection, pipeline, null);
            return;
        }
        if (!connection.secure()) {
            // a client that has sent its request may close its side and still read the answer
            connection.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        LoopContext loop = loops.get(connection.muxer().index());
        ClientConnection client = new ClientConnection(loop, connection);
        connection.onDrain(client::drain);
        if (plain == PlainHttp2.ALLOWED) {
            pipeline.addLast("first-bytes", new FirstBytes(this, connection));
        }
        pipeline.addLast("http", client);
    }

    /** An origin gets no more requests: connections that wait for some are of no use. */
    private void left(OriginKey origin) {
        for (LoopContext loop : loops) {
            var _ = loop.muxer().eventLoop().submit(() -> loop.left(origin));
        }
    }

    /** Puts HTTP/2 into a connection's pipeline, last or behind a handler. */
    void speakHttp2(Connection connection, ChannelPipeline pipeline, @Nullable String behind) {
        LoopContext loop = loops.get(connection.muxer().index());
        Http2Session session =
                Http2Session.of(connection, loop.streams(), parts.config().get().http2(), counters.http2);
        connection.onDrain(session::drain);
        connection.onLeave(session::leave);
        if (behind == null) {
            pipeline.addLast("http2", session);
        } else {
            pipeline.addAfter(behind, "http2", session);
        }
    }

    /** Live changes of the kernel's section reach the engine here. */
    public void kernelChanged(KernelConfig kernel) {
        settings = EngineSettings.of(kernel, parts.config().get());
    }

    Log log() {
        return parts.log();
    }

    /** A programmer's error: the exchange dies, the process goes on. */
    void unexpected(Throwable cause) {
        counters.unexpected.inc();
        parts.log().log(EngineMessages.EXCHANGE_FAILED, where(cause), cause);
    }

    /** Where in Weir it happened: what throws may lie deep in a library. */
    static Object where(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().startsWith("io.weir.")) {
                return frame;
            }
        }
        return trace.length == 0 ? "?" : trace[0];
    }

    /** The memory cache, for the administration. */
    public Cache cache() {
        return cache;
    }

    /** The program in force. */
    public Program program() {
        return program;
    }

    Kernel kernel() {
        return parts.kernel();
    }

    Clock clock() {
        return parts.clock();
    }

    /** As configured, or tighter for clients while they hold nearly all that there is. */
    EngineSettings settings() {
        EngineSettings configured = settings;
        int step = parts.kernel().pressure().step();
        if (step == 0) {
            return configured;
        }
        Tight last = tight;
        if (last == null || last.step() != step || !last.configured().equals(configured)) {
            last = new Tight(configured, step, configured.under(parts.kernel().pressure()));
            tight = last;
        }
        return last.now();
    }

    /** Settings under a pressure. */
    private record Tight(EngineSettings configured, int step, EngineSettings now) {}

    EngineCounters counters() {
        return counters;
    }

    KernelPools pools() {
        return pools;
    }

    /** The limits on traffic. */
    public Qos qos() {
        return qos;
    }

    ProgramHost programHost() {
        return programHost;
    }

    ErrorAnswers errors() {
        return errors;
    }

    ByteBufAllocator allocator() {
        return parts.kernel().allocator();
    }

    /** What this proxy adds to an answer that came in this version and says nothing of others before. */
    byte[] viaLine(Version received) {
        return switch (received) {
            case HTTP_1_0 -> via10;
            case HTTP_1_1 -> via11;
            case HTTP_2 -> via2;
        };
    }

    byte[] cacheStatusStart() {
        return cacheStatusStart;
    }

    /** This proxy's name in Via and Cache-Status. */
    public String pseudonym() {
        return pseudonym;
    }

    ForwardedMode forwardedMode() {
        return parts.config().get().forwarded();
    }

    ClientCertificateMode clientCertificate() {
        return parts.config().get().clientCertificate();
    }

    boolean trusts(InetAddress client) {
        return trusted.contains(client);
    }

    /** What of the fields behind a body may pass; the others are counted. */
    Fields passing(Fields received) {
        Fields passing = trailers.passing(received);
        counters.trailersUnlisted.add(received.size() - passing.size());
        return passing;
    }

    OriginSecurity originTls() {
        return originTls;
    }

    /** The pools in force; shared. */
    Origins origins() {
        return origins;
    }

    /** The pools in force, for the views. */
    public List<ServerPool> originPools() {
        return origins.all();
    }

    OriginKey demo() {
        return demo.key();
    }

    @Nullable
    LogLanes logLanes() {
        AccessLogs logs = parts.accessLogs();
        return logs == null ? null : logs.lanes();
    }

    HostDnsCache.Limits dnsLimits() {
        DnsConfig dns = parts.config().get().dns();
        return new HostDnsCache.Limits(
                dns.cache(),
                dns.entries(),
                dns.expire().toSeconds(),
                dns.negative().toSeconds());
    }

    long dnsStaleNanos() {
        return parts.config().get().dns().stale().toNanos();
    }

    List<InetSocketAddress> nameServers() {
        return parts.config().get().dns().servers().stream()
                .map(NameServer::parse)
                .toList();
    }

    long dnsTimeOutMillis() {
        return parts.config().get().timeOuts().dns().toMillis();
    }

    long connectNanos() {
        return parts.config().get().timeOuts().connect().toNanos();
    }

    OriginPoolConfig poolConfig() {
        return parts.config().get().originPool();
    }

    /** Connections to one origin, in use and idle together, as they are bounded now. */
    public int maxConnectionsPerOrigin() {
        return bounds().perOrigin();
    }

    /** Fetches for one client address, as they are bounded now; 0 without a bound. */
    public int maxFetchesPerAddress() {
        int most = bounds().perAddress();
        return most == AddressShares.ALL ? 0 : most;
    }

    OriginBounds bounds() {
        return new OriginBounds(poolConfig(), parts.kernel().descriptors());
    }

    PoolBounds poolBounds() {
        return bounds().of(Math.max(1, loops.size()));
    }

    /** Bytes of one answer that an origin may send over HTTP/2 before they are taken. */
    int originWindow() {
        return parts.config().get().http2().originWindow().asInt();
    }

    OriginConnector.Settings connectSettings() {
        var times = parts.config().get().timeOuts();
        int most = parts.config().get().limits().streamBuffer().asInt();
        return new OriginConnector.Settings(
                (int) times.connect().toMillis(),
                (int) times.tlsHandshake().toMillis(),
                new WriteBufferWaterMark(most / 4, most),
                bind);
    }

    /** Closes idle origin connections, the demo origin and the cache; the kernel is drained before. */
    @Override
    public void close() {
        demo.close();
        for (LoopContext loop : loops) {
            EventLoop muxer = loop.muxer().eventLoop();
            if (!muxer.isShuttingDown()) {
                if (loop == loops.getFirst()) {
                    muxer.submit(watch::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
                }
                muxer.submit(loop::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
            }
        }
        originTls.close();
        cache.close();
    }
}
