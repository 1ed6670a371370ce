package io.weir.kernel.tls;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The location of a certificate chain and its private key: two PEM files or one PKCS#12 file. Immutable. */
public record CertificateFiles(
        @Knob(doc = "PEM file with the certificate and its intermediates, leaf first.", unwatched = Unwatched.NAME)
        @Nullable
        String chainFile,

        @Knob(doc = "PEM file with the private key (PKCS#8).", unwatched = Unwatched.NAME) @Nullable
        String keyFile,

        @Knob(doc = "PKCS#12 file with certificate and key, instead of the two PEM files.", unwatched = Unwatched.NAME)
        @Nullable
        String pkcs12,

        @Knob(doc = "Password of the key file or the PKCS#12 file.", secret = true, unwatched = Unwatched.SECRET)
        @Nullable
        String password) {

    /** Whether any file is configured. */
    public boolean given() {
        return chainFile != null || keyFile != null || pkcs12 != null;
    }

    /** The file to name in messages. */
    public String place() {
        return pkcs12 != null ? pkcs12 : String.valueOf(chainFile);
    }

    /** The configured files. */
    Stream<String> all() {
        return Stream.of(chainFile, keyFile, pkcs12).filter(Objects::nonNull);
    }
}
