package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Configs;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions that resume, with openssl as the client. */
@Tag("slow")
class TlsSessionsTest {
    @TempDir
    Path folder;

    private TestAuthority authority;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
    }

    private Listener open(TestKernel k, String name, TlsConfig.Provider provider, String... more) throws Exception {
        return k.kernel.open(name, TestAuthority.with(provider, List.of(more), authority.pem("a.example")), k.echo);
    }

    private String first(Listener l, String... more) throws Exception {
        return session(l, "-sess_out", more);
    }

    private String again(Listener l, String... more) throws Exception {
        return session(l, "-sess_in", more);
    }

    private String session(Listener l, String option, String... more) throws Exception {
        String[] all = new String[more.length + 2];
        all[0] = option;
        all[1] = folder.resolve("session.pem").toString();
        System.arraycopy(more, 0, all, 2, more.length);
        return Openssl.client(l.address(), all);
    }

    private static long resumed(TestKernel k, Listener l) {
        return k.stats.value(KernelStats.TLS_RESUMED, l.name());
    }

    private static long tickets(TestKernel k, String event) {
        return k.stats.value(KernelStats.TLS_TICKETS, "secure", event);
    }

    @ParameterizedTest
    @CsvSource({
        "BORINGSSL,-tls1_3,tickets",
        "BORINGSSL,-tls1_2,tickets",
        "BORINGSSL,-tls1_2,cache",
        "JDK,-tls1_3,tickets",
        "JDK,-tls1_2,cache"
    })
    void sessionsOfAForeignClientResumeAndAreCounted(TlsConfig.Provider provider, String version, String by)
            throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, "secure", provider);
            String[] more = by.equals("cache") ? new String[] {version, "-no_ticket"} : new String[] {version};
            assertThat(first(l, more)).contains("New, TLSv1").doesNotContain("Reused");
            assertThat(resumed(k, l)).isZero();
            assertThat(again(l, more)).contains("Reused, TLSv1");
            assertThat(resumed(k, l)).isOne();
            assertThat(k.stats.sum(KernelStats.TLS_HANDSHAKES)).isEqualTo(2);
            assertThat(k.stats.sum(KernelStats.TLS_CIPHERS)).isEqualTo(2);
            if (provider == TlsConfig.Provider.BORINGSSL && by.equals("tickets")) {
                assertThat(tickets(k, "issued")).isPositive();
                assertThat(tickets(k, "accepted")).isOne();
            }
        }
    }

    @Test
    void ticketKeysRotateAndOldOnesAreKeptAsLongAsSessionsMayResume() throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            Listener l = open(
                    k, "secure", TlsConfig.Provider.BORINGSSL, "tls.ticket-rotation=1h", "tls.session-time-out=2h");
            ServerTls tls = TestAuthority.tls(l);
            first(l);
            clock.step(Duration.ofHours(1));
            tls.maintain();
            assertThat(again(l)).contains("Reused");
            assertThat(tickets(k, "renewed")).isOne();
            // the first ticket is now three keys old, one more than sessions may be
            for (int i = 0; i < 2; i++) {
                clock.step(Duration.ofHours(1));
                tls.maintain();
            }
            assertThat(again(l)).contains("New, TLSv1.3");
            assertThat(tickets(k, "unknown")).isOne();
            assertThat(resumed(k, l)).isOne();
        }
    }

    @Test
    void serversThatShareAKeyFileResumeEachOthersSessionsAndFollowItsChange() throws Exception {
        Path keys = folder.resolve("tickets.key");
        Openssl.run(folder, "rand", "-out", keys.toString(), "48");
        try (TestKernel k = new TestKernel()) {
            String shared = "tls.ticket-key-file=" + keys;
            Listener one = open(k, "one", TlsConfig.Provider.BORINGSSL, shared);
            Listener other = open(k, "other", TlsConfig.Provider.BORINGSSL, shared);
            Listener stranger = open(k, "stranger", TlsConfig.Provider.BORINGSSL);
            first(one);
            assertThat(again(other)).contains("Reused");
            assertThat(again(stranger)).contains("New, TLSv1.3");
            assertThat(resumed(k, other)).isOne();
            byte[] old = Files.readAllBytes(keys);
            Openssl.run(folder, "rand", "-out", keys.toString(), "48");
            assertThat(other.reloadCertificates().failure()).isNull();
            assertThat(again(other)).as("its key is gone").contains("New, TLSv1.3");
            Files.write(keys, new byte[20]);
            assertThat(other.reloadCertificates().failure())
                    .contains("20 bytes")
                    .contains("openssl rand");
            Files.write(keys, old);
            assertThat(other.reloadCertificates().failure()).isNull();
            assertThat(again(other)).contains("Reused");
        }
    }

    @Test
    void processesResumeEachOthersSessionsAtTheSameListenerAsLongAsItTrustsTheSame() throws Exception {
        Path masters = folder.resolve("masters");
        Path trust = folder.resolve("trust.pem");
        Files.write(masters, new byte[TicketKeys.KEY_BYTES]);
        Files.copy(folder.resolve("ca.pem"), trust);
        String trusting = "tls.client-trust=" + trust;
        try (TestKernel k = TestKernel.sharing(masters);
                TestKernel other = TestKernel.sharing(masters)) {
            Listener one = open(k, "secure", TlsConfig.Provider.BORINGSSL, trusting);
            Listener same = open(other, "secure", TlsConfig.Provider.BORINGSSL, trusting);
            first(one);
            assertThat(again(same)).contains("Reused");
            assertThat(again(open(other, "stricter", TlsConfig.Provider.BORINGSSL, trusting)))
                    .as("another listener")
                    .contains("New, TLSv1.3");
            byte[] turned = new byte[2 * TicketKeys.KEY_BYTES];
            turned[0] = 1;
            Files.write(masters, turned);
            TestAuthority.tls(same).maintain();
            assertThat(again(same)).as("the old key stands behind the new one").contains("Reused");
            Files.writeString(trust, Files.readString(trust) + "\n");
            assertThat(same.reloadCertificates().failure()).isNull();
            assertThat(again(same)).as("whom it trusts has changed").contains("New, TLSv1.3");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void theCacheKeepsAsManySessionsAsItMay(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, "secure", provider, "tls.session-cache=1");
            String oldest = folder.resolve("oldest.pem").toString();
            Openssl.client(l.address(), "-sess_out", oldest, "-tls1_2", "-no_ticket");
            first(l, "-tls1_2", "-no_ticket");
            assertThat(again(l, "-tls1_2", "-no_ticket")).contains("Reused, TLSv1.2");
            assertThat(Openssl.client(l.address(), "-sess_in", oldest, "-tls1_2", "-no_ticket"))
                    .contains("New, TLSv1.2", "hello\n");
            assertThat(resumed(k, l)).isOne();
        }
    }

    @Test
    void aKeyFileThatIsNoneStopsTheStart() throws Exception {
        try (TestKernel k = new TestKernel()) {
            assertThatThrownBy(() ->
                            open(k, "secure", TlsConfig.Provider.BORINGSSL, "tls.ticket-key-file=/nowhere/tickets"))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("/nowhere/tickets");
        }
    }

    @Test
    void atMostEightKeysAreKept() throws Exception {
        TlsConfig config = Configs.listener("tls.ticket-rotation=1m", "tls.session-time-out=48h")
                .tls();
        TicketKeys keys = new TicketKeys(config, null, 0);
        for (int i = 1; i < 20; i++) {
            assertThat(keys.rotate(Duration.ofMinutes(i).toNanos())).isTrue();
            assertThat(keys.rotate(Duration.ofMinutes(i).toNanos())).isFalse();
        }
        assertThat(keys.size()).isEqualTo(TicketKeys.MOST);
    }
}
