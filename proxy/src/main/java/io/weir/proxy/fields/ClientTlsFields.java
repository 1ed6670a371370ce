package io.weir.proxy.fields;

import io.netty.buffer.ByteBuf;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.tls.CipherStrength;
import io.weir.proxy.program.config.ClientCertificateMode;
import io.weir.proxy.program.run.ClientFact;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Fields that describe the client's TLS to an origin: its certificate by RFC 9440, and the fields of the Proxy Server.
 * A client cannot set any of them itself ({@link Forwarding}). Immutable.
 */
public final class ClientTlsFields {
    private static final ClientTlsFields NONE = new ClientTlsFields(new Fields());

    private final Fields sent;

    private ClientTlsFields(Fields sent) {
        this.sent = sent;
    }

    /**
     * The fields that the mode enables for the connection's client.
     *
     * @param decided facts that the program itself sends or does not
     */
    public static ClientTlsFields of(Connection connection, ClientCertificateMode mode, Predicate<ClientFact> decided) {
        SSLSession session = mode == ClientCertificateMode.OFF ? null : connection.tls();
        if (session == null) {
            return NONE;
        }
        List<X509Certificate> shown = connection.clientCertificates();
        Fields sent = new Fields();
        try {
            if (mode.rfc() && !shown.isEmpty() && !decided.test(ClientFact.AUTH_CERT)) {
                sent.add(FieldName.CLIENT_CERT, binaries(shown.subList(0, 1)));
                if (shown.size() > 1) {
                    sent.add(FieldName.CLIENT_CERT_CHAIN, binaries(shown.subList(1, shown.size())));
                }
            }
            if (mode.proxy()) {
                for (ClientFact fact : ClientFact.values()) {
                    String value = fact == ClientFact.IP || decided.test(fact) ? null : value(fact, session, shown);
                    if (value != null) {
                        sent.add(fact.field(), value);
                    }
                }
            }
            return new ClientTlsFields(sent);
        } catch (CertificateEncodingException e) {
            return NONE; // cannot happen: it was decoded from what the client sent
        }
    }

    private static String binaries(List<X509Certificate> certificates) throws CertificateEncodingException {
        StringBuilder out = new StringBuilder();
        for (X509Certificate c : certificates) {
            String separator = out.isEmpty() ? ":" : ", :";
            out.append(separator)
                    .append(Base64.getEncoder().encodeToString(c.getEncoded()))
                    .append(':');
        }
        return out.toString();
    }

    /**
     * A fact about a client's TLS as it is sent, or null if there is none.
     *
     * @param shown the certificates that it presented, leaf first
     */
    public static @Nullable String value(ClientFact fact, SSLSession session, List<X509Certificate> shown)
            throws CertificateEncodingException {
        X509Certificate leaf = shown.isEmpty() ? null : shown.getFirst();
        return switch (fact) {
            case IP -> null;
            case CIPHER -> session.getCipherSuite();
            case KEYSIZE, SECRET_KEYSIZE -> Integer.toString(CipherStrength.bits(session.getCipherSuite()));
            case SSL_ID -> session.getId().length == 0 ? null : HexFormat.of().formatHex(session.getId());
            case AUTH_CERT -> leaf == null ? null : Base64.getEncoder().encodeToString(leaf.getEncoded());
            case USER_DN -> leaf == null ? null : name(leaf.getSubjectX500Principal());
            case ISSUER_DN -> leaf == null ? null : name(leaf.getIssuerX500Principal());
        };
    }

    /** A distinguished name in a form valid for a field: non-ASCII characters are escaped by RFC 4514 section 2.4. */
    private static String name(X500Principal principal) {
        return principal
                .getName()
                .codePoints()
                .mapToObj(c -> c >= ' ' && c <= '~' ? Character.toString(c) : escaped(c))
                .collect(Collectors.joining());
    }

    private static String escaped(int character) {
        StringBuilder out = new StringBuilder();
        for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            out.append('\\').append(HexFormat.of().withUpperCase().toHexDigits(b));
        }
        return out.toString();
    }

    public void write(ByteBuf out) {
        Encoder.fields(out, sent);
    }
}
