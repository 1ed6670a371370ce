package io.weir.wire.login;

import io.weir.base.Clock;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records failed logins by address, and by address and user name, and forgives them one at a time. The number of
 * records is bounded: the oldest is evicted. Shared.
 */
final class LoginGuard {
    /** Maximum of recorded addresses plus pairs of address and name. */
    static final int MOST_REMEMBERED = 10_000;

    private record Name(InetAddress address, String user) {}

    private static final class Failures {
        private int count;
        private long since;
    }

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Failures> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    LoginGuard(Clock clock) {
        this.clock = clock;
    }

    /** Whether a login must be refused without checking its password. */
    boolean locked(InetAddress address, String user, LoginConfig limits) {
        lock.lock();
        try {
            return count(address, limits) >= limits.failuresPerAddress()
                    || count(new Name(address, user), limits) >= limits.failuresPerUser();
        } finally {
            lock.unlock();
        }
    }

    /** Records a failed login. */
    void failed(InetAddress address, String user, LoginConfig limits) {
        lock.lock();
        try {
            add(address, limits);
            add(new Name(address, user), limits);
        } finally {
            lock.unlock();
        }
    }

    /** Number of recorded addresses and names. */
    int remembered() {
        lock.lock();
        try {
            return failures.size();
        } finally {
            lock.unlock();
        }
    }

    private void add(Object key, LoginConfig limits) {
        int before = count(key, limits);
        Failures f = failures.computeIfAbsent(key, unusedKey -> new Failures());
        if (before == 0) {
            f.since = clock.nanos();
        }
        f.count = before + 1;
    }

    private int count(Object key, LoginConfig limits) {
        Failures f = failures.get(key);
        if (f == null) {
            return 0;
        }
        long each = Math.max(1, limits.forgiveAfter().toNanos());
        long forgiven = (clock.nanos() - f.since) / each;
        f.since += forgiven * each;
        f.count = (int) Math.max(0, f.count - forgiven);
        if (f.count == 0) {
            failures.remove(key);
        }
        return f.count;
    }
}
