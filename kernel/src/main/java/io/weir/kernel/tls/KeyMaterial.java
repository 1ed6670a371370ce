package io.weir.kernel.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A private key with its certificate chain and the certificate's names. Immutable.
 *
 * @param key the key, verified to belong to the certificate
 * @param chain leaf first
 * @param names DNS names of the leaf, wildcards included
 */
record KeyMaterial(PrivateKey key, List<X509Certificate> chain, List<String> names) {
    private static final int DNS_NAME = 2;
    private static final int DER_SEQUENCE = 0x30;

    static KeyMaterial load(CertificateFiles c) throws TlsFault {
        KeyMaterial loaded = c.pkcs12() != null ? fromStore(c.pkcs12(), c.password()) : fromPem(c);
        loaded.checkPair(c);
        return loaded;
    }

    private static KeyMaterial fromPem(CertificateFiles c) throws TlsFault {
        if (c.chainFile() == null || c.keyFile() == null) {
            throw new TlsFault("a certificate needs chain-file and key-file, or pkcs12. Set them in tls.certificates.");
        }
        return of(PemFile.key(c.keyFile(), c.password()), PemFile.certificates(c.chainFile()));
    }

    private static KeyMaterial fromStore(String file, @Nullable String password) throws TlsFault {
        char[] secret = password == null ? new char[0] : password.toCharArray();
        try {
            KeyStore store = open(file, secret, "PKCS#12");
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getKey(alias, secret) instanceof PrivateKey key) {
                    return of(key, certificates(store.getCertificateChain(alias)));
                }
            }
        } catch (GeneralSecurityException e) {
            throw new TlsFault(file + " cannot be read: " + TlsFault.reason(e) + ". Check its password.", e);
        }
        throw new TlsFault(file + " holds no private key. Export it with its key (openssl pkcs12 -export -inkey …).");
    }

    /**
     * Whether a file may be PKCS#12, because it begins with a DER sequence; also true if it cannot be read, so that
     * opening it reports the reason.
     */
    static boolean isDer(String file) {
        try (var in = Files.newInputStream(Path.of(file))) {
            return in.read() == DER_SEQUENCE;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Opens a PKCS#12 file.
     *
     * @param expected the accepted formats, for the message
     */
    static KeyStore open(String file, char[] password, String expected) throws TlsFault {
        try (var in = Files.newInputStream(Path.of(file))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            return store;
        } catch (NoSuchFileException e) {
            throw new TlsFault(file + " does not exist. Correct the path; it is relative to the working folder.", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsFault(
                    file + " cannot be read: " + TlsFault.reason(e) + ". It must be " + expected
                            + " with the given password.",
                    e);
        }
    }

    private static List<X509Certificate> certificates(Certificate[] chain) {
        return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
    }

    private static KeyMaterial of(PrivateKey key, List<X509Certificate> chain) {
        return new KeyMaterial(key, chain, namesOf(chain.getFirst()));
    }

    /** The DNS names of a certificate. */
    static List<String> namesOf(X509Certificate leaf) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = leaf.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> a : alternatives) {
                    if (a.getFirst().equals(DNS_NAME)) {
                        names.add(a.get(1).toString());
                    }
                }
            }
        } catch (CertificateParsingException e) {
            // A leaf whose names cannot be parsed can still serve as the default certificate.
            return List.of();
        }
        return List.copyOf(names);
    }

    /** Signs and verifies once: otherwise a mismatched key would only show up in every handshake. */
    private void checkPair(CertificateFiles c) throws TlsFault {
        PublicKey shown = chain.getFirst().getPublicKey();
        try {
            Signature s = Signature.getInstance(algorithm());
            s.initSign(key);
            s.update(new byte[32]);
            byte[] signature = s.sign();
            s.initVerify(shown);
            s.update(new byte[32]);
            if (!s.verify(signature)) {
                throw mismatch(c, null);
            }
        } catch (GeneralSecurityException e) {
            throw mismatch(c, e);
        }
    }

    private static TlsFault mismatch(CertificateFiles c, @Nullable Throwable why) {
        String keyPlace = c.keyFile() == null ? c.place() : c.keyFile();
        String text = "the private key in " + keyPlace + " does not belong to the certificate in " + c.place()
                + ". Use the key with which this certificate was requested; the leaf certificate must come first"
                + " in its file.";
        return why == null ? new TlsFault(text) : new TlsFault(text, why);
    }

    private String algorithm() {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }
}
