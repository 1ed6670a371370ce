package io.weir.kernel;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLException;

/** Builds a listener's TLS from its certificates. Stateless. */
final class TlsSetup {
    private TlsSetup() {}

    static ListenerTls of(String name, TlsConfig config, Kernel kernel) throws BindFailure {
        SslProvider provider = TlsProviders.choose(config.provider(), "channel \"" + name + "\"", kernel.log());
        List<SniCertificates.Entry> entries = new ArrayList<>();
        OpenSslSessionTicketKey tickets = provider == SslProvider.JDK ? null : ticketKey();
        try {
            for (TlsConfig.Certificate c : config.certificates()) {
                KeyMaterial material = KeyMaterial.load(c);
                SslContext context = context(material, config, provider);
                entries.add(new SniCertificates.Entry(context, names(material)));
                if (tickets != null && context.sessionContext() instanceof OpenSslSessionContext sessions) {
                    sessions.setSessionCacheEnabled(true);
                    sessions.setTicketKeys(tickets);
                }
            }
            return new ServerTls(name, new SniCertificates(entries), kernel);
        } catch (TlsFault | SSLException | IllegalArgumentException e) {
            entries.forEach(entry -> ReferenceCountUtil.release(entry.context()));
            throw new BindFailure("Cannot use TLS for channel \"" + name + "\": " + e.getMessage(), e);
        }
    }

    private static Set<String> names(KeyMaterial material) {
        Set<String> names = new HashSet<>();
        for (String n : material.names()) {
            names.add(n.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static SslContext context(KeyMaterial material, TlsConfig config, SslProvider provider)
            throws SSLException, TlsFault {
        SslContextBuilder builder = SslContextBuilder.forServer(material.key(), material.chain())
                .sslProvider(provider)
                .protocols(TlsProviders.names(config.protocols()))
                .sessionCacheSize(config.sessionCache())
                .sessionTimeout(config.sessionTimeOut().toSeconds())
                .applicationProtocolConfig(TlsProviders.alpn(config.alpn()))
                .clientAuth(
                        switch (config.clientAuth()) {
                            case NONE -> ClientAuth.NONE;
                            case WANT -> ClientAuth.OPTIONAL;
                            case NEED -> ClientAuth.REQUIRE;
                        });
        if (!config.ciphers().isEmpty()) {
            builder.ciphers(config.ciphers());
        }
        if (config.clientTrust() != null) {
            builder.trustManager(TlsProviders.trust(config.clientTrust(), null));
        }
        return builder.build();
    }

    /** Tickets are what lets TLS 1.3 sessions resume; the key dies with the process. */
    private static OpenSslSessionTicketKey ticketKey() {
        SecureRandom random = new SecureRandom();
        byte[] name = new byte[OpenSslSessionTicketKey.NAME_SIZE];
        byte[] mac = new byte[OpenSslSessionTicketKey.HMAC_KEY_SIZE];
        byte[] cipher = new byte[OpenSslSessionTicketKey.AES_KEY_SIZE];
        random.nextBytes(name);
        random.nextBytes(mac);
        random.nextBytes(cipher);
        return new OpenSslSessionTicketKey(name, mac, cipher);
    }
}
