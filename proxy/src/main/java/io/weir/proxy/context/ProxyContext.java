package io.weir.proxy.context;

import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.http.Fields;
import io.weir.kernel.Kernel;
import io.weir.kernel.settings.KernelConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.fields.ProxyName;
import io.weir.proxy.fields.Trailers;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.program.config.ClientCertificateMode;
import io.weir.proxy.program.config.ForwardedMode;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.TrustedProxies;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.qos.Qos;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by the requests of all muxers: the configuration and the request program in force, the cache, limits
 * and counters. Shared; what a live change replaces is volatile and swapped as a whole. Lives as long as its proxy.
 */
public final class ProxyContext {
    /**
     * The parts that never change.
     *
     * @param config the section {@code proxy}, for values that are rarely read
     * @param accessLogs null: exchanges are not recorded
     */
    public record Parts(
            Kernel kernel,
            Live<ProxyConfig> config,
            Cache cache,
            CacheOwners owners,
            KernelPools pools,
            ProgramHost programHost,
            Qos qos,
            EngineCounters counters,
            ProxyName name,
            @Nullable AccessLogs accessLogs,
            Clock clock,
            Log log) {}

    private final Parts parts;
    private volatile EngineSettings settings;
    private volatile @Nullable Tight tight;
    private volatile Program program;
    private volatile TrustedProxies trusted;
    private volatile Trailers trailers;

    public ProxyContext(Parts parts, Program program) {
        this.parts = parts;
        ProxyConfig config = parts.config().get();
        this.program = program;
        this.settings = EngineSettings.of(parts.kernel().config(), config);
        this.trusted = new TrustedProxies(config.trustedProxies());
        this.trailers = new Trailers(config.trailers());
        this.parts.cache().servers(program.virtualServers().keyed());
    }

    /** Activates changed settings, all but the program. */
    public void settings(ProxyConfig config, TrustedProxies trustedNow) {
        settings = EngineSettings.of(parts.kernel().config(), config);
        trusted = trustedNow;
        trailers = new Trailers(config.trailers());
    }

    /** Activates a program. */
    public void program(Program next) {
        program = next;
        parts.cache().servers(next.virtualServers().keyed());
    }

    /** Applies live changes of the kernel's section. */
    public void kernelChanged(KernelConfig kernel) {
        settings = EngineSettings.of(kernel, parts.config().get());
    }

    /** A programming error: the exchange fails, the process continues. */
    public void unexpected(Throwable cause) {
        parts.counters().unexpected.inc();
        parts.log().log(EngineMessages.EXCHANGE_FAILED, where(cause), cause);
    }

    /** The frame in Weir where it happened: the exception may have been thrown deep in a library. */
    private static Object where(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().startsWith("io.weir.")) {
                return frame;
            }
        }
        return trace.length == 0 ? "?" : trace[0];
    }

    public Log log() {
        return parts.log();
    }

    public Cache cache() {
        return parts.cache();
    }

    /** The members of the cluster that own the keys of its caches. */
    public CacheOwners owners() {
        return parts.owners();
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

    /** As configured, or tighter for clients under pressure on a resource. */
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
        return parts.counters();
    }

    public KernelPools pools() {
        return parts.pools();
    }

    /** The limits on traffic. */
    public Qos qos() {
        return parts.qos();
    }

    public ProgramHost programHost() {
        return parts.programHost();
    }

    public ByteBufAllocator allocator() {
        return parts.kernel().allocator();
    }

    /** This proxy's name in Via and Cache-Status. */
    public ProxyName name() {
        return parts.name();
    }

    public ForwardedMode forwardedMode() {
        return parts.config().get().forwarded();
    }

    public ClientCertificateMode clientCertificate() {
        return parts.config().get().clientCertificate();
    }

    public boolean trusts(InetAddress client) {
        return trusted.contains(client);
    }

    /** The trailer fields that may be forwarded; the others are counted. */
    public Fields passing(Fields received) {
        Fields passing = trailers.passing(received);
        parts.counters().trailersUnlisted.add(received.size() - passing.size());
        return passing;
    }

    /** One muxer's part of the access logs; null if there is none. */
    @Nullable
    LogLanes newLogLanes() {
        AccessLogs logs = parts.accessLogs();
        return logs == null ? null : logs.lanes();
    }
}
