package io.weir.kernel.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes requests to OCSP responders and decodes their responses (RFC 6960). Stateless. */
final class Ocsp {
    private static final String AUTHORITY_ACCESS = "1.3.6.1.5.5.7.1.1";
    /** id-ad-ocsp, 1.3.6.1.5.5.7.48.1. */
    private static final byte[] RESPONDER = HexFormat.of().parseHex("2b06010505073001");
    /** AlgorithmIdentifier of SHA-1, by which responders index certificates (RFC 5019 section 2.1.1). */
    private static final byte[] SHA_1 = HexFormat.of().parseHex("300906052b0e03021a0500");

    /**
     * The validity period of a response.
     *
     * @param until its nextUpdate; without one, a day after thisUpdate
     */
    record Validity(long since, long until) {}

    private static final long DAY = 86_400_000;

    private Ocsp() {}

    /** The responder named in the certificate (RFC 5280 section 4.2.2.1), or null. */
    static @Nullable String responder(X509Certificate leaf) {
        byte[] extension = leaf.getExtensionValue(AUTHORITY_ACCESS);
        if (extension == null) {
            return null;
        }
        try {
            Der access = new Der(extension).in(Der.OCTETS).in(Der.SEQUENCE);
            while (access.more()) {
                Der one = access.in(Der.SEQUENCE);
                if (Arrays.equals(one.value(Der.OID), RESPONDER) && one.peek() == Der.URI_NAME) {
                    return new String(one.value(Der.URI_NAME), StandardCharsets.US_ASCII);
                }
            }
            return null;
        } catch (IllegalArgumentException e) {
            return null; // treated as none; the caller reports it
        }
    }

    /**
     * A request for the status of one certificate, without a nonce: responders answer such requests from pre-signed
     * responses.
     */
    static byte[] request(X509Certificate leaf, X509Certificate issuer) throws GeneralSecurityException {
        MessageDigest sha = MessageDigest.getInstance("SHA-1");
        byte[] name = sha.digest(leaf.getIssuerX500Principal().getEncoded());
        byte[] bits = new Der(issuer.getPublicKey().getEncoded())
                .in(Der.SEQUENCE)
                .skip()
                .value(Der.BIT_STRING);
        byte[] key = sha.digest(Arrays.copyOfRange(bits, 1, bits.length));
        byte[] id = Der.of(
                Der.SEQUENCE,
                SHA_1,
                Der.of(Der.OCTETS, name),
                Der.of(Der.OCTETS, key),
                Der.of(Der.INTEGER, leaf.getSerialNumber().toByteArray()));
        byte[] list = Der.of(Der.SEQUENCE, Der.of(Der.SEQUENCE, id));
        return Der.of(Der.SEQUENCE, Der.of(Der.SEQUENCE, list));
    }

    /**
     * Verifies a response as a client would: signed by the issuer or its delegate, for this certificate, with status
     * good, currently valid.
     *
     * @param now milliseconds since the epoch
     * @throws GeneralSecurityException if one of these does not hold
     */
    static Validity check(byte[] answer, X509Certificate leaf, X509Certificate issuer, long now)
            throws GeneralSecurityException {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOcspResponses(Map.of(leaf, answer));
        checker.setOptions(
                EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK, PKIXRevocationChecker.Option.ONLY_END_ENTITY));
        PKIXParameters with = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
        with.setDate(Date.from(Instant.ofEpochMilli(now)));
        with.addCertPathChecker(checker);
        validator.validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(leaf)), with);
        try {
            return validity(answer, leaf.getSerialNumber());
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the response cannot be read: " + TlsFault.reason(e), e);
        }
    }

    private static Validity validity(byte[] answer, BigInteger serial) {
        Der response = new Der(answer).in(Der.SEQUENCE).skip();
        Der basic = response.in(Der.CONTEXT_0)
                .in(Der.SEQUENCE)
                .skip()
                .in(Der.OCTETS)
                .in(Der.SEQUENCE);
        Der data = basic.in(Der.SEQUENCE);
        if (data.peek() == Der.CONTEXT_0) {
            data.skip(); // version
        }
        Der answers = data.skip().skip().in(Der.SEQUENCE); // after responder and producedAt
        while (answers.more()) {
            Der one = answers.in(Der.SEQUENCE);
            Der id = one.in(Der.SEQUENCE).skip().skip().skip();
            if (new BigInteger(id.value(Der.INTEGER)).equals(serial)) {
                long since = one.skip().time();
                boolean ends = one.more() && one.peek() == Der.CONTEXT_0;
                return new Validity(since, ends ? one.in(Der.CONTEXT_0).time() : since + DAY);
            }
        }
        throw new IllegalArgumentException("the response does not cover this certificate");
    }
}
