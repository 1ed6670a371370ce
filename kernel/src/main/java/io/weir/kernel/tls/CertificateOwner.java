package io.weir.kernel.tls;

import java.util.List;

/**
 * An owner of certificates and trust: a listener, or a proxy towards its origins. Shared: {@link TlsWatch} checks it
 * periodically, the administration queries it.
 */
public interface CertificateOwner {
    /** The listener's name, or the configuration's section. */
    String owner();

    /** The certificates that it presents. */
    List<CertificateReport> certificates();

    /** The outcome of the latest load, including the first. */
    TlsReload loaded();

    /**
     * Reloads certificates, keys and trust for subsequent handshakes; if loading fails, the old ones stay. Open
     * connections continue. May block.
     */
    TlsReload reload();

    /**
     * Does periodic work: changed files, ticket keys, OCSP responses, expiry warnings. Called once a second; may block.
     */
    void maintain();
}
