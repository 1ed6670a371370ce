package io.weir.server.users;

import io.weir.base.Chance;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Password hashes: PBKDF2 with HMAC-SHA-512, salted, as {@code pbkdf2-sha512$iterations$salt$key} in hexadecimal. Stateless. */
final class Passwords {
    private static final String KIND = "pbkdf2-sha512";
    static final int ITERATIONS = 210_000;
    private static final int MAX_ITERATIONS = 10_000_000;
    private static final int KEY_BITS = 256;

    /** A hash that no password matches: comparing with it takes as long as with a user's. */
    static String unmatchable(int iterations) {
        return KIND + "$" + iterations + "$" + "00".repeat(16) + "$" + "00".repeat(KEY_BITS / 8);
    }

    private Passwords() {}

    static String hash(char[] password, int iterations) {
        byte[] salt = Chance.secret(16);
        HexFormat hex = HexFormat.of();
        return KIND + "$" + iterations + "$" + hex.formatHex(salt) + "$"
                + hex.formatHex(derive(password, salt, iterations));
    }

    /** Whether the password has that hash; an invalid hash matches nothing. */
    static boolean matches(char[] password, String hash) {
        String[] f = hash.split("\\$", -1);
        if (f.length != 4 || !f[0].equals(KIND) || password.length == 0) {
            return false;
        }
        try {
            int iterations = Integer.parseInt(f[1]);
            if (iterations < 1 || iterations > MAX_ITERATIONS) {
                return false;
            }
            byte[] salt = HexFormat.of().parseHex(f[2]);
            byte[] key = HexFormat.of().parseHex(f[3]);
            return salt.length > 0 && MessageDigest.isEqual(key, derive(password, salt, iterations));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static byte[] derive(char[] password, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, KEY_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks PBKDF2WithHmacSHA512", e);
        } finally {
            spec.clearPassword();
        }
    }
}
