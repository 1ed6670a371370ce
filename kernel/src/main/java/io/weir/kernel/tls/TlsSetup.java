package io.weir.kernel.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Builds a listener's TLS from its files. Stateless. */
final class TlsSetup {
    private TlsSetup() {}

    /** The files whose change requires a reload of certificates. */
    static Collection<String> files(TlsConfig config) {
        Set<String> files = new LinkedHashSet<>();
        for (TlsConfig.Certificate c : config.certificates()) {
            c.files().all().forEach(files::add);
        }
        files.addAll(trustFiles(config));
        if (config.ticketKeyFile() != null) {
            files.add(config.ticketKeyFile());
        }
        return files;
    }

    /** The files of them that define trust. */
    static Collection<String> trustFiles(TlsConfig config) {
        return Stream.of(config.clientTrust(), config.clientCrl())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Loads all certificates.
     *
     * @throws TlsFault if one of them cannot be used
     */
    static TlsSet load(String name, TlsConfig config, SslProvider provider, KernelContext kernel) throws TlsFault {
        List<SniCertificates.Entry> entries = new ArrayList<>();
        List<TlsSet.Served> served = new ArrayList<>();
        boolean staples = staples(name, config, provider, kernel);
        OcspStaple.Owner owner = new OcspStaple.Owner(name, config.stapling(), kernel);
        try {
            TlsProviders.fit(config.protocols(), config.ciphers());
            TrustManagerFactory trust = trust(config);
            for (TlsConfig.Certificate c : config.certificates()) {
                KeyMaterial material = KeyMaterial.load(c.files());
                SslContext context = context(material, config, provider, trust, staples);
                entries.add(new SniCertificates.Entry(context, names(material)));
                if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
                    sessions.setSessionCacheEnabled(true);
                }
                boolean one = staples && (config.stapling().enabled() || c.ocspFile() != null);
                OcspStaple staple = one ? new OcspStaple(owner, c, material.chain()) : null;
                served.add(new TlsSet.Served(context, c.files().place(), material.chain(), staple));
            }
            return new TlsSet(new SniCertificates(entries), served);
        } catch (SSLException | IllegalArgumentException e) {
            entries.forEach(entry -> ReferenceCountUtil.release(entry.context()));
            throw new TlsFault(TlsFault.reason(e), e);
        } catch (TlsFault e) {
            entries.forEach(entry -> ReferenceCountUtil.release(entry.context()));
            throw e;
        }
    }

    private static boolean staples(String name, TlsConfig config, SslProvider provider, KernelContext kernel) {
        boolean wanted =
                config.stapling().enabled() || config.certificates().stream().anyMatch(c -> c.ocspFile() != null);
        boolean can = provider != SslProvider.JDK && OpenSsl.isOcspSupported();
        if (wanted && !can) {
            kernel.log().log(KernelMessages.TLS_NO_STAPLING, name);
        }
        return wanted && can;
    }

    private static @Nullable TrustManagerFactory trust(TlsConfig config) throws TlsFault {
        if (config.clientTrust() != null) {
            return TlsProviders.trust(config.clientTrust(), null, config.clientCrl());
        }
        if (config.clientCrl() != null) {
            throw new TlsFault(
                    "client-crl needs client-trust. Set client-trust to the authorities that issued" + " the lists.");
        }
        return null;
    }

    private static Set<String> names(KeyMaterial material) {
        Set<String> names = new HashSet<>();
        for (String n : material.names()) {
            names.add(n.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static SslContext context(
            KeyMaterial material,
            TlsConfig config,
            SslProvider provider,
            @Nullable TrustManagerFactory trust,
            boolean staples)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(material.key(), material.chain())
                .sslProvider(provider)
                .protocols(TlsProviders.names(config.protocols()))
                .sessionCacheSize(config.sessionCache())
                .sessionTimeout(config.sessionTimeOut().toSeconds())
                .applicationProtocolConfig(TlsProviders.alpn(config.alpn()))
                .enableOcsp(staples)
                .clientAuth(
                        switch (config.clientAuth()) {
                            case NONE -> ClientAuth.NONE;
                            case WANT -> ClientAuth.OPTIONAL;
                            case NEED -> ClientAuth.REQUIRE;
                        });
        if (!config.ciphers().isEmpty()) {
            builder.ciphers(config.ciphers());
        }
        if (trust != null) {
            builder.trustManager(trust);
        }
        return builder.build();
    }
}
