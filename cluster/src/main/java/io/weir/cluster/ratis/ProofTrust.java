package io.weir.cluster.ratis;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a peer whose key carries a MAC made with the secret; if the cluster has certificates, the key must also be
 * signed with the peer's certificate, which must be issued by the configured authorities and match the called address.
 * Shared; immutable.
 */
final class ProofTrust extends X509ExtendedTrustManager {
    private final LogProof proof;
    private final @Nullable X509ExtendedTrustManager authorities;
    private final RefusedPeers refusedPeers;

    /** @param authorities null if only the secret is checked */
    ProofTrust(LogProof proof, @Nullable X509ExtendedTrustManager authorities, RefusedPeers refusedPeers) {
        this.proof = proof;
        this.authorities = authorities;
        this.refusedPeers = refusedPeers;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        X509Certificate[] rest = proven(chain);
        X509ExtendedTrustManager a = authorities;
        if (a != null) {
            try {
                a.checkClientTrusted(rest, authType, engine);
            } catch (CertificateException e) {
                throw new UntrustedPeerFault(PeerRefusal.CERTIFICATE, e);
            }
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            X509Certificate[] rest = proven(chain);
            X509ExtendedTrustManager a = authorities;
            if (a != null) {
                a.checkServerTrusted(rest, authType, engine);
            }
        } catch (UntrustedPeerFault e) {
            refusedPeers.refusedCalled(e.why(), engine.getPeerHost() + ":" + engine.getPeerPort());
            throw e;
        } catch (CertificateException e) {
            refusedPeers.refusedCalled(PeerRefusal.CERTIFICATE, engine.getPeerHost() + ":" + engine.getPeerPort());
            throw new UntrustedPeerFault(PeerRefusal.CERTIFICATE, e);
        }
    }

    /** The certificate chain of the signer of the proven key. */
    private X509Certificate[] proven(X509Certificate[] chain) throws UntrustedPeerFault {
        if (chain.length == 0) {
            throw new UntrustedPeerFault(PeerRefusal.NO_PROOF, null);
        }
        proof.check(chain[0]);
        X509Certificate[] rest = Arrays.copyOfRange(chain, 1, chain.length);
        if (authorities != null) {
            if (rest.length == 0) {
                throw new UntrustedPeerFault(PeerRefusal.CERTIFICATE, null);
            }
            try {
                chain[0].verify(rest[0].getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new UntrustedPeerFault(PeerRefusal.CERTIFICATE, e);
            }
        }
        return rest;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw engineOnly();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw engineOnly();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw engineOnly();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw engineOnly();
    }

    private static CertificateException engineOnly() {
        return new CertificateException("connections of the log must be checked with their SSLEngine");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
