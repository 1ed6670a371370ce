package io.weir.wire.login;

import io.weir.base.Chance;
import io.weir.base.Clock;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Recently verified logins, so that a client that reconnects needs no second check. Stores a hash of the password under
 * a key that exists in this process only. Bounded: the least recently used entry is evicted. Shared.
 */
final class VerifiedLogins {
    static final int MOST_REMEMBERED = 10_000;

    private static final String ALGORITHM = "HmacSHA256";

    private record Verified(String hash, Principal principal, long realm, long at) {}

    private final Clock clock;
    private final SecretKeySpec key = new SecretKeySpec(Chance.secret(32), ALGORITHM);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Verified> logins = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    VerifiedLogins(Clock clock) {
        this.clock = clock;
    }

    /** The password's hash, which is meaningful in this process only. */
    String hash(String user, char[] password) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(user.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(StandardCharsets.UTF_8.encode(CharBuffer.wrap(password)));
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform supports " + ALGORITHM, e);
        }
    }

    /** The principal, if this login was verified within the time and the realm has not changed since. */
    @Nullable
    Principal find(String user, String hash, long realm, long withinNanos) {
        lock.lock();
        try {
            Verified v = logins.get(user);
            if (v == null || !MessageDigest.isEqual(bytes(v.hash), bytes(hash))) {
                return null;
            }
            if (v.realm != realm || clock.nanos() - v.at >= withinNanos) {
                logins.remove(user);
                return null;
            }
            return v.principal;
        } finally {
            lock.unlock();
        }
    }

    private static byte[] bytes(String hash) {
        return hash.getBytes(StandardCharsets.US_ASCII);
    }

    void remember(String user, String hash, Principal principal, long realm) {
        lock.lock();
        try {
            logins.put(user, new Verified(hash, principal, realm, clock.nanos()));
        } finally {
            lock.unlock();
        }
    }
}
