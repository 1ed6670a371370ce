package io.weir.wire.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a connection know and neither sends: each proves it by a code over what both have just drawn by
 * lot. Who listens, or is called by mistake, learns nothing that lets it in later. Shared; immutable; has no text form.
 */
public final class LoginKey {
    private static final String MAC = "HmacSHA256";
    private static final byte[] SALT = "weir: logins by proof".getBytes(StandardCharsets.UTF_8);
    /** A guess costs an attacker as much as making the key costs an honest end, once: about a twentieth of a second. */
    private static final int ITERATIONS = 100_000;

    private static final int KEY_BITS = 256;

    private final SecretKeySpec key;

    private LoginKey(SecretKeySpec key) {
        this.key = key;
    }

    /** Takes a while, by design: make it once. */
    public static LoginKey of(String secret) {
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, KEY_BITS))
                    .getEncoded();
            return new LoginKey(new SecretKeySpec(made, MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    /** Who proves it: so that one end's proof is not the other's. */
    public enum End {
        CLIENT,
        SERVER
    }

    /**
     * The proof of one end, in hexadecimal.
     *
     * @param clientNonce what the client drew, in hexadecimal
     * @param serverNonce what the server drew
     */
    public String proof(End end, String user, String clientNonce, String serverNonce) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            // The lengths of the others are fixed, so the name comes last.
            for (String part : new String[] {end.name(), clientNonce, serverNonce, user}) {
                mac.update(part.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these", e);
        }
    }

    /** Whether a proof is this one, compared in constant time; null is none. */
    public static boolean same(String expected, @Nullable String given) {
        return given != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
