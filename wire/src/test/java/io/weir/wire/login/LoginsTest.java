package io.weir.wire.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.wire.Awaited;
import io.weir.wire.Configs;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireMessages;
import io.weir.wire.WireStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logins against a realm whose check is dear. */
final class LoginsTest {
    private static final InetSocketAddress HERE = at(1);
    private static final InetSocketAddress THERE = at(2);

    private final SteppedClock clock = new SteppedClock(0);
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicLong version = new AtomicLong();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean broken;
    private @Nullable CheckedLogins logins;

    private final Realm realm = new Realm() {
        @Override
        public @Nullable Principal check(String user, char[] password) throws IOException {
            checks.incrementAndGet();
            if (broken) {
                throw new IOException("provoked");
            }
            try {
                if (!gate.await(3, TimeUnit.MINUTES)) {
                    throw new IOException("never opened");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return new String(password).equals(user + "1") ? new Principal(user, List.of("staff")) : null;
        }

        @Override
        public @Nullable Principal anonymous(InetSocketAddress from) {
            return from.equals(HERE) ? new Principal("guest", List.of()) : null;
        }

        @Override
        public long version() {
            return version.get();
        }
    };

    private static InetSocketAddress at(int last) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), 4711);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private CheckedLogins logins(String... settings) {
        CheckedLogins l =
                new CheckedLogins(realm, new Live<>(Configs.bind(LoginConfig.class, settings)), stats, log, clock);
        logins = l;
        return l;
    }

    @AfterEach
    void stop() {
        CheckedLogins l = logins;
        if (l != null) {
            l.close();
        }
    }

    private static @Nullable Principal login(CheckedLogins l, String user, String password) {
        return l.check(user, password.toCharArray(), HERE)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private static @Nullable Throwable refusal(CompletableFuture<@Nullable Principal> login) {
        return login.handle((_, f) -> f).orTimeout(10, TimeUnit.SECONDS).join();
    }

    private long count(String result) {
        return stats.value(WireStats.LOGINS, result);
    }

    @Test
    void aRightPasswordIsCheckedOnceWhileItIsRemembered() {
        CheckedLogins l = logins("remember=1m");
        assertThat(login(l, "anna", "anna1")).isEqualTo(new Principal("anna", List.of("staff")));
        assertThat(login(l, "anna", "anna1")).isNotNull();
        assertThat(checks).hasValue(1);
        assertThat(count("accepted")).isEqualTo(1);
        assertThat(count("remembered")).isEqualTo(1);
        clock.step(Duration.ofSeconds(60));
        assertThat(login(l, "anna", "anna1")).isNotNull();
        assertThat(checks).hasValue(2);
    }

    @Test
    void aChangeOfTheRealmIsSeenAtOnce() {
        CheckedLogins l = logins();
        assertThat(login(l, "anna", "anna1")).isNotNull();
        version.incrementAndGet();
        assertThat(login(l, "anna", "anna1")).isNotNull();
        assertThat(checks).hasValue(2);
    }

    @Test
    void aRememberedLoginLetsNoOtherPasswordIn() {
        CheckedLogins l = logins();
        assertThat(login(l, "anna", "anna1")).isNotNull();
        assertThat(login(l, "anna", "anna2")).isNull();
        assertThat(login(l, "anna", "")).isNull();
        assertThat(l.check("anna", null, HERE).orTimeout(10, TimeUnit.SECONDS).join())
                .isNull();
        assertThat(count("wrong")).isEqualTo(3);
    }

    @Test
    void nobodyIsAskedForAPasswordWhereGuestsAreWelcome() {
        CheckedLogins l = logins();
        assertThat(l.check(null, null, HERE).join()).isEqualTo(new Principal("guest", List.of()));
        assertThat(l.check(null, null, THERE).join()).isNull();
        assertThat(checks).hasValue(0);
        assertThat(count("anonymous")).isEqualTo(1);
        assertThat(count("wrong")).isEqualTo(1);
    }

    @Test
    void tooManyFailuresOfAUserAreRefusedWithoutACheckUntilForgiven() {
        CheckedLogins l = logins("failures-per-user=3", "forgive-after=10s");
        for (int i = 0; i < 3; i++) {
            assertThat(login(l, "anna", "guess" + i)).isNull();
        }
        assertThat(refusal(l.check("anna", "anna1".toCharArray(), HERE)))
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.LOGIN_STORM));
        assertThat(checks).hasValue(3);
        assertThat(count("locked")).isEqualTo(1);
        assertThat(login(l, "bert", "bert1")).as("another user").isNotNull();
        assertThat(l.check("anna", "anna1".toCharArray(), THERE)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join())
                .as("another address")
                .isNotNull();
        clock.step(Duration.ofSeconds(10));
        assertThat(login(l, "anna", "anna1")).as("forgiven").isNotNull();
    }

    @Test
    void tooManyFailuresOfAnAddressAreRefusedWhateverTheName() {
        CheckedLogins l = logins("failures-per-address=4", "failures-per-user=2");
        for (int i = 0; i < 4; i++) {
            assertThat(login(l, "user" + i, "guess")).isNull();
        }
        assertThat(refusal(l.check("user9", "user91".toCharArray(), HERE))).isInstanceOf(WireFault.class);
        assertThat(checks).hasValue(4);
    }

    @Test
    void aStormOfLoginsThatWaitIsBounded() {
        CheckedLogins l = logins("queue=2");
        gate = new CountDownLatch(1);
        List<CompletableFuture<@Nullable Principal>> waiting = new ArrayList<>();
        waiting.add(l.check("u0", "u01".toCharArray(), HERE));
        Awaited.until(() -> checks.get() == 1);
        waiting.add(l.check("u1", "u11".toCharArray(), HERE));
        waiting.add(l.check("u2", "u21".toCharArray(), HERE));
        assertThat(stats.value(WireStats.LOGINS_WAITING)).isEqualTo(2);
        assertThat(refusal(l.check("u3", "u31".toCharArray(), HERE)))
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.LOGIN_STORM));
        assertThat(count("busy")).isEqualTo(1);
        gate.countDown();
        for (CompletableFuture<@Nullable Principal> w : waiting) {
            assertThat(w.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
        }
    }

    @Test
    void guessesThatWaitAreNotCheckedOnceTheirUserIsLocked() {
        CheckedLogins l = logins("failures-per-user=2");
        gate = new CountDownLatch(1);
        List<CompletableFuture<@Nullable Principal>> guesses = new ArrayList<>();
        for (int i = 2; i < 22; i++) {
            guesses.add(l.check("anna", ("guess" + i).toCharArray(), HERE));
        }
        CompletableFuture<@Nullable Principal> other = l.check("bert", "bert1".toCharArray(), HERE);
        gate.countDown();
        assertThat(other.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
        assertThat(checks).as("two guesses and the other user").hasValue(3);
        assertThat(count("wrong")).isEqualTo(2);
        assertThat(count("locked")).isEqualTo(18);
        assertThat(refusal(guesses.getLast()))
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.LOGIN_STORM));
    }

    @Test
    void manyClientsOfOneApplicationCostOneCheck() {
        CheckedLogins l = logins("queue=2");
        gate = new CountDownLatch(1);
        List<CompletableFuture<@Nullable Principal>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(l.check("anna", "anna1".toCharArray(), HERE));
        }
        gate.countDown();
        for (CompletableFuture<@Nullable Principal> w : waiting) {
            assertThat(w.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
        }
        assertThat(checks).hasValue(1);
        assertThat(count("accepted")).isEqualTo(50);
    }

    @Test
    void aLoginWhoseClientWentAwayIsNotChecked() {
        CheckedLogins l = logins();
        gate = new CountDownLatch(1);
        CompletableFuture<@Nullable Principal> first = l.check("u0", "u01".toCharArray(), HERE);
        Awaited.until(() -> checks.get() == 1);
        l.check("u1", "u11".toCharArray(), HERE).cancel(false);
        CompletableFuture<@Nullable Principal> last = l.check("u2", "u21".toCharArray(), HERE);
        gate.countDown();
        assertThat(last.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
        assertThat(first).isCompleted();
        assertThat(checks).hasValue(2);
    }

    @Test
    void aBrokenRealmLetsNobodyInAndIsLogged() {
        CheckedLogins l = logins();
        broken = true;
        assertThat(refusal(l.check("anna", "anna1".toCharArray(), HERE)))
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.INTERNAL));
        assertThat(log.count(WireMessages.REALM_FAILED)).isEqualTo(1);
        broken = false;
        assertThat(login(l, "anna", "anna1")).isNotNull();
    }

    @Test
    void whatIsRememberedOfFailuresIsBounded() {
        LoginGuard guard = new LoginGuard(clock);
        LoginConfig limits = Configs.bind(LoginConfig.class, "failures-per-user=1");
        for (int i = 0; i <= LoginGuard.MOST_REMEMBERED; i++) {
            guard.failed(HERE.getAddress(), "user" + i, limits);
        }
        assertThat(guard.locked(THERE.getAddress(), "user0", limits)).isFalse();
        assertThat(guard.remembered()).isEqualTo(LoginGuard.MOST_REMEMBERED);
    }
}
