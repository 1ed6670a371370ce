package io.weir.kernel.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads certificates and keys from PEM files (RFC 7468). Stateless. */
final class PemFile {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemFile() {}

    /** All certificates in the order of the file, at least one. */
    static List<X509Certificate> certificates(String file) throws TlsFault {
        byte[] bytes = read(file);
        try {
            List<X509Certificate> found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException e) {
            throw new TlsFault(
                    file + " holds no readable certificate: " + TlsFault.reason(e) + ". It must be in PEM format.", e);
        }
        throw new TlsFault(file + " holds no certificate. It must be PEM, leaf first, then its intermediates.");
    }

    /** The revocation lists of a file, PEM or DER, at least one. */
    static Collection<? extends CRL> lists(String file) throws TlsFault {
        byte[] bytes = read(file);
        try {
            Collection<? extends CRL> found =
                    CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException e) {
            throw new TlsFault(file + " holds no readable revocation list: " + TlsFault.reason(e) + ".", e);
        }
        throw new TlsFault(file + " holds no revocation list. It must be PEM or DER (openssl ca -gencrl).");
    }

    /** The file's private key. */
    static PrivateKey key(String file, @Nullable String password) throws TlsFault {
        Matcher m = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
        if (!m.find()) {
            throw new TlsFault(file + " holds no private key. It must be PEM with BEGIN PRIVATE KEY.");
        }
        byte[] der = Base64.getMimeDecoder().decode(m.group(2));
        return switch (m.group(1)) {
            case "PRIVATE KEY" -> decode(file, new PKCS8EncodedKeySpec(der));
            case "ENCRYPTED PRIVATE KEY" -> decode(file, decrypt(file, der, password));
            default ->
                throw new TlsFault(file + " holds a key in the old format " + m.group(1)
                        + ". Convert it: openssl pkcs8 -topk8 -nocrypt -in " + file + " -out new.key");
        };
    }

    private static PKCS8EncodedKeySpec decrypt(String file, byte[] der, @Nullable String password) throws TlsFault {
        if (password == null) {
            throw new TlsFault(file + " is encrypted and no password is configured. Set the certificate's password.");
        }
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // PBES2 carries its algorithm in the parameters' text form.
            String algorithm =
                    info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
                            ? info.getAlgParameters().toString()
                            : info.getAlgName();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsFault(
                    file + " cannot be decrypted: " + TlsFault.reason(e) + ". Check the certificate's password.", e);
        }
    }

    private static PrivateKey decode(String file, PKCS8EncodedKeySpec spec) throws TlsFault {
        for (String algorithm : ALGORITHMS) {
            PrivateKey key = decode(file, spec, algorithm);
            if (key != null) {
                return key;
            }
        }
        throw new TlsFault(file + " holds a key that is neither RSA nor EC nor EdDSA. Use one of these.");
    }

    private static @Nullable PrivateKey decode(String file, PKCS8EncodedKeySpec spec, String algorithm)
            throws TlsFault {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (InvalidKeySpecException e) {
            return null; // a key of another algorithm
        } catch (GeneralSecurityException e) {
            throw new TlsFault(file + " cannot be used: " + TlsFault.reason(e) + ".", e);
        }
    }

    private static byte[] read(String file) throws TlsFault {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new TlsFault(file + " does not exist. Correct the path; it is relative to the working folder.", e);
        } catch (IOException e) {
            throw new TlsFault(file + " cannot be read: " + e + ". Check its permissions.", e);
        }
    }

    /** Whether the file is PEM, by its content. */
    static boolean is(String file) throws TlsFault {
        return new String(read(file), StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
    }
}
