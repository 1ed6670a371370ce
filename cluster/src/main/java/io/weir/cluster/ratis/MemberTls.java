package io.weir.cluster.ratis;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterTlsConfig;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.UUID;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Mutual TLS 1.3 between members outside of their log, with the same proofs as there: keys named by the secret,
 * certificates of the cluster's authorities, or both. Shared; immutable.
 */
public final class MemberTls {
    private static final String PURPOSE = "weir: the members' caches\0";
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLContext context;
    private final boolean addresses;
    private final RefusedPeers refusedPeers;

    private MemberTls(SSLContext context, boolean addresses, RefusedPeers refusedPeers) {
        this.context = context;
        this.addresses = addresses;
        this.refusedPeers = refusedPeers;
    }

    /**
     * Generates a key; slow by design.
     *
     * @param cluster the cluster's name: two clusters with the same secret do not accept each other
     * @return null if there is neither a secret nor a certificate: then members do not authenticate each other
     * @throws IOException if the certificates cannot be used
     */
    public static @Nullable MemberTls of(
            @Nullable String secret, String cluster, ClusterTlsConfig files, Stats stats, Log log) throws IOException {
        if (secret == null && !files.enabled()) {
            return null;
        }
        return of(secret == null ? null : LogProof.of(secret, scope(cluster)), files, stats, log);
    }

    /**
     * Generates a key, with a secret that nobody can guess: at least 16 random bytes. Fast.
     *
     * @param cluster as above
     */
    public static MemberTls ofRandom(String secret, String cluster, ClusterTlsConfig files, Stats stats, Log log)
            throws IOException {
        return of(LogProof.ofRandom(secret, scope(cluster)), files, stats, log);
    }

    private static UUID scope(String cluster) {
        return UUID.nameUUIDFromBytes((PURPOSE + cluster).getBytes(StandardCharsets.UTF_8));
    }

    private static MemberTls of(@Nullable LogProof proof, ClusterTlsConfig files, Stats stats, Log log)
            throws IOException {
        RefusedPeers refusedPeers = new RefusedPeers(stats, log);
        try {
            ProofTls.Managers managers =
                    proof == null ? ProofTls.authorities(files) : ProofTls.managers(files, proof, refusedPeers);
            SSLContext made = SSLContext.getInstance("TLSv1.3");
            made.init(new KeyManager[] {managers.keys()}, new TrustManager[] {managers.trust()}, null);
            return new MemberTls(made, files.enabled(), refusedPeers);
        } catch (GeneralSecurityException e) {
            throw ProofTls.unusable(e);
        }
    }

    /** For a connection from another member. */
    public SSLEngine server() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        engine.setEnabledProtocols(PROTOCOLS);
        return engine;
    }

    /** For a connection to another member. */
    public SSLEngine client(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(PROTOCOLS);
        if (addresses) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return engine;
    }

    /** Counts and logs a peer whose handshake failed. */
    public void refused(Throwable cause, @Nullable SocketAddress from) {
        Throwable c = cause;
        while (c != null && !(c instanceof UntrustedPeerFault)) {
            c = c.getCause();
        }
        refusedPeers.refused(c instanceof UntrustedPeerFault f ? f.why() : PeerRefusal.HANDSHAKE, from);
    }
}
