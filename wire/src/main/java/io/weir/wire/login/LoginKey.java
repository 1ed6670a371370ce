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
 * A secret that both ends of a connection know and neither sends: each end proves knowledge by a MAC over random nonces
 * of both ends. An eavesdropper, or a server contacted by mistake, learns nothing that allows a later login. Shared;
 * immutable; has no text form.
 */
public final class LoginKey {
    private static final String MAC = "HmacSHA256";
    private static final byte[] SALT = "weir: logins by proof".getBytes(StandardCharsets.UTF_8);
    /** Each guess costs an attacker as much as deriving the key costs an honest end once: about 50 ms. */
    private static final int ITERATIONS = 100_000;

    private static final int KEY_BITS = 256;

    private final SecretKeySpec key;

    private LoginKey(SecretKeySpec key) {
        this.key = key;
    }

    /** Derives the key; intentionally slow, so call it once. */
    public static LoginKey of(String secret) {
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, KEY_BITS))
                    .getEncoded();
            return new LoginKey(new SecretKeySpec(made, MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK supports these", e);
        }
    }

    /** The end that proves, so that one end's proof is not valid for the other. */
    public enum End {
        CLIENT,
        SERVER
    }

    /**
     * The proof of one end, in hexadecimal.
     *
     * @param clientNonce the client's nonce, in hexadecimal
     * @param serverNonce the server's nonce
     */
    public String proof(End end, String user, String clientNonce, String serverNonce) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            // The lengths of the other parts are fixed, so the name comes last.
            for (String part : new String[] {end.name(), clientNonce, serverNonce, user}) {
                mac.update(part.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK supports these", e);
        }
    }

    /** Whether a proof equals the expected one, compared in constant time; false for null. */
    public static boolean same(String expected, @Nullable String given) {
        return given != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
