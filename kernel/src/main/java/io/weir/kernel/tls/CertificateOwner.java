package io.weir.kernel.tls;

import java.util.List;

/**
 * Who shows certificates and trusts some: a listener, or a proxy towards its origins. Shared: {@link TlsWatch} looks after
 * it, the administration asks it.
 */
public interface CertificateOwner {
    /** The listener's name, or the configuration's section. */
    String owner();

    /** The certificates that it shows. */
    List<CertificateReport> certificates();

    /** What came of the last load, the first included. */
    TlsReload loaded();

    /**
     * Loads certificates, keys and trust anew for the handshakes that follow; what cannot be loaded leaves the old ones.
     * Open connections go on. May block.
     */
    TlsReload reload();

    /** Does what is due: changed files, ticket keys, OCSP answers, warnings. Called each second; may block. */
    void look();
}
