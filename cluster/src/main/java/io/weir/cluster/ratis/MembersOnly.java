package io.weir.cluster.ratis;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Checks before every call of every service at the log's port (members', clients' and administrators' services) that
 * the connection is a member's. TLS already refuses other peers; this is a second line of defense should the port ever
 * be opened differently. Shared; immutable.
 */
final class MembersOnly implements ServerInterceptor {
    private final LogProof proof;
    private final RefusedPeers refusedPeers;

    MembersOnly(LogProof proof, RefusedPeers refusedPeers) {
        this.proof = proof;
        this.refusedPeers = refusedPeers;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (proven(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))) {
            return next.startCall(call, headers);
        }
        refusedPeers.refused(PeerRefusal.CALL, call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        call.close(Status.UNAUTHENTICATED.withDescription("members only"), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private boolean proven(@Nullable SSLSession session) {
        if (session == null) {
            return false;
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            if (chain.length == 0 || !(chain[0] instanceof X509Certificate first)) {
                return false;
            }
            proof.check(first);
            return true;
        } catch (SSLPeerUnverifiedException | UntrustedPeerFault e) {
            return false;
        }
    }
}
