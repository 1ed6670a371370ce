package io.weir.proxy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.weir.base.Chance;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
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
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.program.ErrorPages;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.TrustedProxies;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProxyMessages;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.qos.Qos;
import io.weir.proxy.upstream.OriginSide;
import java.util.List;

/**
 * The HTTP proxy on a kernel: forward, reverse and tunnels, with a memory cache. One for each server; shared by its
 * muxers, each of which has its own clients, exchanges and origin side.
 */
public final class Proxy implements Protocol, AutoCloseable {
    private static final String PRODUCT = "Weir";

    private final ProxyParts parts;
    private final Chance chance;
    private final KernelPools workPools;
    private final ProxyContext context;
    private final DemoOrigin demo;
    private final OriginSide origins;
    private final CacheOwners owners;
    private final List<ClientPipelines> clients;
    /** False while the proxy is created: what it observes then is what it is created from. */
    private volatile boolean following;

    /**
     * Creates a proxy; connections are added by {@link #install}.
     *
     * @throws IllegalArgumentException if the routes do not compile, naming every problem
     */
    public Proxy(ProxyParts parts) {
        this.parts = parts;
        this.chance = parts.chance().split();
        ProxyConfig config = parts.config().get();
        EngineCounters counters = new EngineCounters(parts.stats());
        this.workPools = new KernelPools(parts.kernel());
        ProgramHost host =
                new ProgramHost(workPools, parts.logins(), parts.views(), parts.clock(), parts.stats(), parts.log());
        Qos qos = new Qos(config.clientLimits(), parts.clock(), parts.chance(), parts.stats());
        this.demo = new DemoOrigin(parts.kernel(), parts.clock());
        this.owners = new CacheOwners(parts.stats());
        this.context = new ProxyContext(
                new ProxyContext.Parts(
                        parts.kernel(),
                        parts.config(),
                        newCache(parts),
                        owners,
                        workPools,
                        host,
                        qos,
                        counters,
                        new ProxyName(config.pseudonym(parts.instance())),
                        parts.accessLogs(),
                        parts.clock(),
                        parts.log()),
                compile(config));
        List<LoopContext> loops = parts.kernel().muxers().all().stream()
                .map(muxer -> new LoopContext(context, muxer))
                .toList();
        this.origins = new OriginSide(
                new OriginSide.Parts(
                        parts.kernel(), parts.config(), parts.clock(), parts.stats(), parts.log(), counters.http2),
                loops);
        ErrorAnswers errors = new ErrorAnswers(new ErrorPages(PRODUCT), host);
        this.clients = loops.stream()
                .map(loop -> new ClientPipelines(
                        new Exchanges(loop, origins, demo::key, errors),
                        () -> parts.config().get().http2()))
                .toList();
        context.cache().keepsOnDisk(owners::mine);
        owners.whenLeft(origins::memberLeft);
        origins.prepare(context.program(), config).run();
        follow(config);
    }

    private static Cache newCache(ProxyParts parts) {
        return new Cache(
                parts.cache(),
                UnpooledByteBufAllocator.DEFAULT,
                parts.clock(),
                parts.chance(),
                parts.disk(),
                parts.stats(),
                parts.log());
    }

    private void follow(ProxyConfig created) {
        parts.config().observe(this::changed);
        parts.virtualServers().observe(_ -> changed(parts.config().get()));
        following = true;
        if (!parts.config().get().equals(created)) {
            reconfigure(parts.config().get());
        }
        TrafficRules.follow(parts, context.qos());
    }

    private void changed(ProxyConfig config) {
        if (following) {
            reconfigure(config);
        }
    }

    private Program compile(ProxyConfig config) {
        Program program = Programs.compile(
                        config, parts.virtualServers().get(), workPools, parts.functions(), chance, null)
                .orThrow();
        if (program.uses(ServerFunction.DEMO)) {
            demo.open();
        }
        program.begin(parts.stats());
        program.notes().forEach(note -> parts.log().log(ProxyMessages.PROGRAM_NOTE, note));
        return program;
    }

    /** Everything is created before anything is activated; on a failure the old state remains. */
    private void reconfigure(ProxyConfig config) {
        try {
            Program next = compile(config);
            TrustedProxies trusted = new TrustedProxies(config.trustedProxies());
            Runnable change = origins.prepare(next, config);
            context.settings(config, trusted);
            change.run();
            context.program(next);
        } catch (IllegalArgumentException e) {
            parts.log().log(EngineMessages.RECONFIGURE_FAILED, Buffers.reason(e));
        }
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        clients.get(connection.muxer().index()).install(connection, pipeline);
    }

    /** Applies live changes of the kernel's section. */
    public void kernelChanged(KernelConfig kernel) {
        context.kernelChanged(kernel);
    }

    /** The memory cache, for the administration. */
    public Cache cache() {
        return context.cache();
    }

    /** The members of the cluster that own the keys of its caches. */
    public CacheOwners owners() {
        return owners;
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

    /** The side that faces the origins. */
    public OriginSide origins() {
        return origins;
    }

    /** Closes idle origin connections, the demo origin and the cache; the kernel must have been drained. */
    @Override
    public void close() {
        demo.close();
        origins.close();
        context.cache().close();
    }
}
