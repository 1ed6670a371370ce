package io.weir.cluster.ratis;

import io.weir.cluster.config.ClusterTlsConfig;
import java.io.File;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The port of a member's log and its access control: accepts peers that prove the secret, present a certificate, or
 * both, as configured, and of their calls only those addressed to this voter. The same applies to connections opened by
 * this member. Lives as long as its log.
 */
final class LogPort implements AutoCloseable {
    private static final int LOOPS = 2;
    private static final long CLOSE_SECONDS = 1;

    private final String self;
    private final RefusedPeers refusedPeers;
    private final @Nullable LogProof proof;
    private final @Nullable GrpcTlsConfig tls;
    private final LogServerChannel.Bounds bounds;
    private final EventLoopGroup acceptor = group("weir.cluster.door", 1);
    private final EventLoopGroup loops = group("weir.cluster.peers", LOOPS);

    private LogPort(
            RatisParts parts,
            RefusedPeers refusedPeers,
            @Nullable LogProof proof,
            @Nullable GrpcTlsConfig tls,
            LogServerChannel.Bounds bounds) {
        this.self = parts.self().id();
        this.refusedPeers = refusedPeers;
        this.proof = proof;
        this.tls = tls;
        this.bounds = bounds;
    }

    /** Reads the certificates and computes this member's proof; does not listen yet. */
    static LogPort of(RatisParts parts) throws IOException {
        return of(parts, LogServerChannel.Bounds.DEFAULT);
    }

    static LogPort of(RatisParts parts, LogServerChannel.Bounds bounds) throws IOException {
        RefusedPeers refusedPeers = new RefusedPeers(parts.stats(), parts.log());
        ClusterTlsConfig files = parts.access().tls();
        String secret = parts.access().secret();
        if (secret != null) {
            LogProof proof = LogProof.of(secret, parts.cluster());
            return new LogPort(parts, refusedPeers, proof, ProofTls.of(files, proof, refusedPeers), bounds);
        }
        GrpcTlsConfig tls = files.enabled()
                ? new GrpcTlsConfig(file(files.keyFile()), file(files.chainFile()), file(files.trustFile()), true)
                : null;
        return new LogPort(parts, refusedPeers, null, tls, bounds);
    }

    private static File file(@Nullable String name) {
        return new File(Objects.requireNonNull(name));
    }

    private static EventLoopGroup group(String name, int threads) {
        return new NioEventLoopGroup(threads, new DefaultThreadFactory(name, true));
    }

    Parameters parameters() {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, this::customize);
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, tls);
        }
        return parameters;
    }

    private NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        builder.bossEventLoopGroup(acceptor)
                .workerEventLoopGroup(loops)
                .channelFactory(() -> new LogServerChannel(bounds, tls != null, refusedPeers))
                .intercept(new AddressCheck(self));
        // Interceptors run in reverse order.
        return proof == null ? builder : builder.intercept(new MembersOnly(proof, refusedPeers));
    }

    @Override
    public void close() {
        var _ = acceptor.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        var _ = loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
