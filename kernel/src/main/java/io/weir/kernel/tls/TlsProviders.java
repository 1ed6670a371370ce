package io.weir.kernel.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.weir.base.Log;
import io.weir.kernel.settings.KernelMessages;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Common parts of listeners' and origins' TLS: the provider, protocols and ciphers, trust. Stateless. */
public final class TlsProviders {
    private TlsProviders() {}

    /** The provider used by default: boringssl, or jdk. */
    public static String standard() {
        return choose(TlsConfig.Provider.AUTO, "", Log.NONE) == SslProvider.JDK ? "jdk" : "boringssl";
    }

    static SslProvider choose(TlsConfig.Provider configured, String who, Log log) {
        return choose(configured, who, log, OpenSsl::unavailabilityCause);
    }

    /** BoringSSL, unless the JDK is configured or BoringSSL does not load. */
    static SslProvider choose(
            TlsConfig.Provider configured, String who, Log log, Supplier<@Nullable Throwable> missing) {
        if (configured == TlsConfig.Provider.JDK) {
            return SslProvider.JDK;
        }
        Throwable why = missing.get();
        if (why == null) {
            return SslProvider.OPENSSL_REFCNT;
        }
        log.log(KernelMessages.TLS_FALLBACK, who, why.toString());
        return SslProvider.JDK;
    }

    static @Nullable ApplicationProtocolConfig alpn(List<String> protocols) {
        if (protocols.isEmpty()) {
            return null;
        }
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }

    /**
     * Rejects a list of cipher suites of which none fits an offered version: no handshake could succeed, or the list
     * would have no effect. TLS 1.3's suites name no key exchange, so their names do not contain WITH (RFC 8446
     * appendix B.4).
     */
    static void fit(List<TlsConfig.Version> versions, List<String> ciphers) throws TlsFault {
        boolean fits = ciphers.stream()
                .map(c -> c.startsWith("TLS_") && !c.contains("_WITH_")
                        ? TlsConfig.Version.TLS_1_3
                        : TlsConfig.Version.TLS_1_2)
                .anyMatch(versions::contains);
        if (!ciphers.isEmpty() && !fits) {
            throw new TlsFault("None of the cipher suites " + String.join(", ", ciphers) + " is for "
                    + String.join(" or ", names(versions))
                    + ", the only versions in protocols. Use suites of these versions, or none.");
        }
    }

    static List<String> names(List<TlsConfig.Version> versions) {
        return versions.stream().map(TlsConfig.Version::spelling).toList();
    }

    /** Trust in the authorities of a PEM or PKCS#12 file. */
    static TrustManagerFactory trust(String file, @Nullable String password) throws TlsFault {
        return trust(file, password, null);
    }

    /** As above; with revocation lists, revoked certificates are not trusted. */
    static TrustManagerFactory trust(String file, @Nullable String password, @Nullable String crl) throws TlsFault {
        try {
            KeyStore store;
            if (PemFile.is(file)) {
                store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                int n = 0;
                for (X509Certificate authority : PemFile.certificates(file)) {
                    store.setCertificateEntry("authority" + n++, authority);
                }
            } else if (!KeyMaterial.isDer(file)) {
                throw new TlsFault(
                        file + " cannot be used as trust: it contains no certificate. It must be PEM or PKCS#12.");
            } else {
                store = KeyMaterial.open(
                        file, password == null ? new char[0] : password.toCharArray(), "PEM, or PKCS#12");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            if (crl == null) {
                trust.init(store);
            } else {
                PKIXBuilderParameters with = new PKIXBuilderParameters(store, new X509CertSelector());
                with.addCertStore(
                        CertStore.getInstance("Collection", new CollectionCertStoreParameters(PemFile.lists(crl))));
                with.setRevocationEnabled(true);
                trust.init(new CertPathTrustManagerParameters(with));
            }
            return trust;
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsFault(file + " cannot be used as trust: " + TlsFault.reason(e) + ".", e);
        }
    }

    /** Trust in any certificate, for origins that are not verified. */
    static TrustManagerFactory anybody() {
        return InsecureTrustManagerFactory.INSTANCE;
    }
}
