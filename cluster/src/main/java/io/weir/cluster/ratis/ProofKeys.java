package io.weir.cluster.ratis;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Presents one certificate to all peers, both as a server and as a client. Shared; immutable. */
class ProofKeys extends X509ExtendedKeyManager {
    private static final String ONLY = "member";

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    ProofKeys(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    private @Nullable String alias(String keyType) {
        return keyType.equals(key.getAlgorithm()) ? ONLY : null;
    }

    private @Nullable String alias(String[] keyTypes) {
        for (String type : keyTypes) {
            if (alias(type) != null) {
                return ONLY;
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return alias(keyType) == null ? null : new String[] {ONLY};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return getClientAliases(keyType, issuers);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
