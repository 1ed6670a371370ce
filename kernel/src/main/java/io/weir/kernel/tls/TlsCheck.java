package io.weir.kernel.tls;

import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.ReferenceCountUtil;
import io.weir.base.Log;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks each file and setting of a TLS section separately, so that one problem hides no other and each is reported by
 * its key. Problems that only show in combination are left to {@link TlsSetup} and {@link OriginTls}. Used once.
 */
public final class TlsCheck {
    /** The ALPN protocols that a listener supports. */
    private static final Set<String> SUPPORTED = Set.of("h2", "http/1.1", "http/1.0");

    private static final Set<String> RESPONDER_SCHEMES = Set.of("http", "https");

    /**
     * A problem of a section.
     *
     * @param key within the section, such as {@code certificates[0].key-file}
     * @param what the reason, and what to do
     */
    public record Finding(String key, String what) {}

    private final long now;
    private final List<Finding> faults = new ArrayList<>();
    private final List<Finding> doubts = new ArrayList<>();

    private TlsCheck(long now) {
        this.now = now;
    }

    /**
     * Checks the section of a listener.
     *
     * @param now milliseconds since 1970
     */
    public static TlsCheck of(TlsConfig config, long now) {
        TlsCheck check = new TlsCheck(now);
        for (int i = 0; i < config.certificates().size(); i++) {
            TlsConfig.Certificate c = config.certificates().get(i);
            List<X509Certificate> chain = check.certificate("certificates[" + i + "].", c.files());
            check.stapling("certificates[" + i + "].ocsp-file", c, config.stapling(), chain);
        }
        check.trust("client-trust", config.clientTrust(), null);
        check.lists("client-crl", config.clientCrl());
        if (config.ticketKeyFile() != null) {
            check.look("ticket-key-file", () -> TicketKeys.read(config.ticketKeyFile()));
        }
        check.ciphers(config.provider(), config.protocols(), config.ciphers());
        check.alpn(config.alpn());
        check.responder(config.stapling().responder());
        return check;
    }

    /** Checks the section for origins. */
    public static TlsCheck of(OriginTlsConfig config, long now) {
        TlsCheck check = new TlsCheck(now);
        if (config.certificate().given()) {
            check.certificate("certificate.", config.certificate());
        }
        check.trust("trust-file", config.trustFile(), config.trustPassword());
        check.lists("crl-file", config.crlFile());
        check.ciphers(config.provider(), config.protocols(), config.ciphers());
        check.alpn(config.alpn());
        return check;
    }

    /** Checks the section of a cluster: a member's certificate and its trusted authorities. */
    public static TlsCheck of(CertificateFiles own, @Nullable String trustFile, long now) {
        TlsCheck check = new TlsCheck(now);
        if (own.given()) {
            check.certificate("", own);
        }
        if (trustFile != null) {
            check.look("trust-file", () -> PemFile.certificates(trustFile));
        }
        return check;
    }

    /** Problems with which the server does not start. */
    public List<Finding> faults() {
        return List.copyOf(faults);
    }

    /** Problems with which the server starts, but which are probably mistakes. */
    public List<Finding> doubts() {
        return List.copyOf(doubts);
    }

    private interface Look<T> {
        T at() throws TlsFault;
    }

    private <T> @Nullable T look(String key, Look<T> look) {
        try {
            return look.at();
        } catch (TlsFault e) {
            faults.add(new Finding(key, String.valueOf(e.getMessage())));
            return null;
        }
    }

    private List<X509Certificate> certificate(String section, CertificateFiles files) {
        String chainFile = files.chainFile();
        String keyFile = files.keyFile();
        List<X509Certificate> chain = null;
        if (files.pkcs12() != null) {
            KeyMaterial loaded = look(section + "pkcs12", () -> KeyMaterial.load(files));
            chain = loaded == null ? null : loaded.chain();
            if (chainFile != null || keyFile != null) {
                doubts.add(new Finding(
                        section + "pkcs12",
                        "is used, and chain-file and key-file are ignored: set either pkcs12 or both of the others"));
            }
        } else if (chainFile == null || keyFile == null) {
            look(section + (chainFile == null ? "chain-file" : "key-file"), () -> KeyMaterial.load(files));
        } else {
            chain = look(section + "chain-file", () -> PemFile.certificates(chainFile));
            Object key = look(section + "key-file", () -> PemFile.key(keyFile, files.password()));
            if (chain != null && key != null) {
                look(section + "key-file", () -> KeyMaterial.load(files));
            }
        }
        if (chain == null) {
            return List.of();
        }
        validity(section + (files.pkcs12() == null ? "chain-file" : "pkcs12"), chain.getFirst());
        return chain;
    }

    private void validity(String key, X509Certificate leaf) {
        Instant from = leaf.getNotBefore().toInstant();
        Instant until = leaf.getNotAfter().toInstant();
        if (until.toEpochMilli() <= now) {
            doubts.add(new Finding(key, "its certificate expired on " + until + ": clients will reject it. Renew it"));
        } else if (from.toEpochMilli() > now) {
            doubts.add(new Finding(
                    key, "its certificate is valid from " + from + " on: clients will reject it until then"));
        }
    }

    private void stapling(
            String key, TlsConfig.Certificate c, TlsConfig.StaplingConfig stapling, List<X509Certificate> chain) {
        String file = c.ocspFile();
        if (file != null && !Files.isReadable(Path.of(file))) {
            doubts.add(new Finding(
                    key,
                    "the file " + Path.of(file).toAbsolutePath()
                            + " does not exist or cannot be read: no OCSP response is stapled until it can"));
        }
        if ((file != null || stapling.enabled()) && chain.size() == 1) {
            doubts.add(new Finding(
                    key,
                    c.files().place()
                            + " contains the certificate only: without its issuer's certificate appended, no OCSP"
                            + " response can be verified and none is stapled"));
        }
    }

    private void responder(@Nullable String url) {
        if (url == null) {
            return;
        }
        try {
            URI at = new URI(url);
            if (at.getScheme() != null && RESPONDER_SCHEMES.contains(at.getScheme()) && at.getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        doubts.add(new Finding(
                "stapling.responder",
                "expected a URL such as http://ocsp.example.com/, found \"" + url + "\": it cannot be queried"));
    }

    private void trust(String key, @Nullable String file, @Nullable String password) {
        if (file != null) {
            look(key, () -> TlsProviders.trust(file, password));
        }
    }

    private void lists(String key, @Nullable String file) {
        if (file != null) {
            look(key, () -> PemFile.lists(file));
        }
    }

    private void ciphers(TlsConfig.Provider provider, List<TlsConfig.Version> protocols, List<String> ciphers) {
        if (ciphers.isEmpty()) {
            return;
        }
        look("ciphers", () -> {
            TlsProviders.fit(protocols, ciphers);
            try {
                ReferenceCountUtil.release(SslContextBuilder.forClient()
                        .sslProvider(TlsProviders.choose(provider, "", Log.NONE))
                        .protocols(TlsProviders.names(protocols))
                        .ciphers(ciphers)
                        .build());
                return true;
            } catch (SSLException | IllegalArgumentException e) {
                throw new TlsFault(
                        "none of " + String.join(", ", ciphers) + " can be used: " + TlsFault.reason(e)
                                + ". Suites have names such as TLS_AES_128_GCM_SHA256",
                        e);
            }
        });
    }

    private void alpn(List<String> offered) {
        for (String protocol : offered) {
            if (!SUPPORTED.contains(protocol)) {
                doubts.add(new Finding(
                        "alpn", "offers \"" + protocol + "\", which is not supported. Use h2, http/1.1 or both"));
            }
        }
    }
}
