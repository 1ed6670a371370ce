package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterTlsConfig;
import io.weir.cluster.stats.ClusterStats;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** TLS between the caches of members: both ends prove that they know the secret. */
class MemberTlsTest {
    private static final ClusterTlsConfig NO_FILES = new ClusterTlsConfig(null, null, null);

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();

    private @Nullable MemberTls of(@Nullable String secret, String cluster) throws Exception {
        return MemberTls.of(secret, cluster, NO_FILES, stats, log);
    }

    private MemberTls member(String secret, String cluster) throws Exception {
        return Objects.requireNonNull(of(secret, cluster));
    }

    /** Passes records between the two until both are done. */
    private static void shake(SSLEngine client, SSLEngine server) throws SSLException {
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; i < 50 && !(done(client) && done(server)); i++) {
            step(client, toServer, toClient);
            step(server, toClient, toServer);
        }
        assertThat(client.getSession().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(done(client) && done(server)).isTrue();
    }

    private static boolean done(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(1 << 16);
        in.flip();
        boolean more = true;
        while (more) {
            int before = in.remaining() + out.position();
            engine.unwrap(in, plain);
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                engine.wrap(ByteBuffer.allocate(0), out);
            }
            more = in.remaining() + out.position() != before
                    || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
        }
        in.compact();
    }

    @Test
    void membersWithTheSameSecretReachEachOther() throws Exception {
        shake(
                member("secret", "works").client("127.0.0.1", 7811),
                member("secret", "works").server());
    }

    @Test
    void anotherSecretOrClusterIsRefusedAndCounted() throws Exception {
        MemberTls here = member("secret", "works");
        for (MemberTls other : new MemberTls[] {member("other", "works"), member("secret", "office")}) {
            assertThatThrownBy(() -> shake(other.client("127.0.0.1", 7811), here.server()))
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> shake(here.client("127.0.0.1", 7811), other.server()))
                    .isInstanceOf(SSLException.class);
        }
        assertThat(stats.value(ClusterStats.LOG_REFUSED, "called", "wrong-secret"))
                .isEqualTo(4);
        here.refused(new SSLException("x", new UntrustedPeerFault(PeerRefusal.NO_PROOF, null)), null);
        assertThat(stats.value(ClusterStats.LOG_REFUSED, "caller", "no-proof")).isEqualTo(1);
    }

    @Test
    void whoShowsNothingIsRefused() throws Exception {
        SSLContext stranger = SSLContext.getInstance("TLSv1.3");
        stranger.init(null, new TrustManager[] {new Papers.Credulous()}, null);
        SSLEngine client = stranger.createSSLEngine();
        client.setUseClientMode(true);
        MemberTls here = member("secret", "works");
        assertThatThrownBy(() -> shake(client, here.server())).isInstanceOf(SSLException.class);
    }

    @Test
    void withoutSecretAndCertificatesThereIsNone() throws Exception {
        assertThat(of(null, "works")).isNull();
    }
}
