package io.weir.kernel.tls;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a certificate chain and its private key are: in two PEM files or one PKCS#12 file. Immutable. */
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

    /** Whether there are any. */
    public boolean given() {
        return chainFile != null || keyFile != null || pkcs12 != null;
    }

    /** The file to name in messages. */
    public String place() {
        return pkcs12 != null ? pkcs12 : String.valueOf(chainFile);
    }

    /** Those that are given. */
    Stream<String> all() {
        return Stream.of(chainFile, keyFile, pkcs12).filter(Objects::nonNull);
    }
}
