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
 * Looks at each file and setting of a TLS section by itself, so that one that cannot be used hides no other, and each is
 * named by its key. What only shows when all is put together is left to {@link TlsSetup} and {@link OriginTls}. Used once.
 */
public final class TlsCheck {
    /** What a listener speaks when a client chooses it. */
    private static final Set<String> SPOKEN = Set.of("h2", "http/1.1", "http/1.0");

    private static final Set<String> ASKED = Set.of("http", "https");

    /**
     * Something of a section.
     *
     * @param key within the section, such as {@code certificates[0].key-file}
     * @param what why, and what to do
     */
    public record Finding(String key, String what) {}

    private final long now;
    private final List<Finding> faults = new ArrayList<>();
    private final List<Finding> doubts = new ArrayList<>();

    private TlsCheck(long now) {
        this.now = now;
    }

    /**
     * Looks at the section of a listener.
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

    /** Looks at the section for origins. */
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

    /** Looks at the section of a cluster: a member's certificate, and whom it trusts. */
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

    /** What a start refuses. */
    public List<Finding> faults() {
        return List.copyOf(faults);
    }

    /** What a server runs with, though it cannot be meant. */
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
                        "is used, and chain-file and key-file beside it are not: give the one or the others"));
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
            doubts.add(new Finding(key, "its certificate expired on " + until + ": clients refuse it. Renew it"));
        } else if (from.toEpochMilli() > now) {
            doubts.add(new Finding(key, "its certificate is valid from " + from + " on: clients refuse it until then"));
        }
    }

    private void stapling(
            String key, TlsConfig.Certificate c, TlsConfig.StaplingConfig stapling, List<X509Certificate> chain) {
        String file = c.ocspFile();
        if (file != null && !Files.isReadable(Path.of(file))) {
            doubts.add(new Finding(
                    key,
                    "the file " + Path.of(file).toAbsolutePath()
                            + " does not exist or cannot be read: no OCSP answer is shown until it can"));
        }
        if ((file != null || stapling.enabled()) && chain.size() == 1) {
            doubts.add(new Finding(
                    key,
                    c.files().place()
                            + " holds the certificate alone: without its issuer, which is to follow it, no OCSP"
                            + " answer can be checked and none is shown"));
        }
    }

    private void responder(@Nullable String url) {
        if (url == null) {
            return;
        }
        try {
            URI at = new URI(url);
            if (at.getScheme() != null && ASKED.contains(at.getScheme()) && at.getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        doubts.add(new Finding(
                "stapling.responder",
                "expected a URL such as http://ocsp.example.com/, found \"" + url + "\": nobody can be asked there"));
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
                                + ". Suites are named as TLS_AES_128_GCM_SHA256 is",
                        e);
            }
        });
    }

    private void alpn(List<String> offered) {
        for (String protocol : offered) {
            if (!SPOKEN.contains(protocol)) {
                doubts.add(new Finding(
                        "alpn",
                        "offers \"" + protocol + "\", which is not spoken here. Give h2 and http/1.1, or one of them"));
            }
        }
    }
}
