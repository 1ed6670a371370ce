package io.weir.proxy.program.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.program.Bench;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.config.TrustedProxies;
import io.weir.proxy.program.run.ProxyStats;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationRulesTest {
    private static final DestinationsConfig STANDARD = ConfigBinder.defaults(DestinationsConfig.class);
    private static final InetAddress STRANGER = Bench.address("8.8.4.4");
    private static final InetAddress LOOPBACK = Bench.address("127.0.0.1");

    private static DestinationRules rules(List<String> allow, List<String> deny) {
        return DestinationRules.of(
                new DestinationsConfig(STANDARD.clients(), allow, deny, List.of(), List.of(), true, List.of()));
    }

    private static DestinationRules hosts(List<String> allow, List<String> deny, List<String> ports) {
        return DestinationRules.of(
                new DestinationsConfig(STANDARD.clients(), List.of(), List.of(), allow, deny, true, ports));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, LOOPBACK",
        "127.255.3.4, LOOPBACK",
        "::1, LOOPBACK",
        "10.1.2.3, PRIVATE",
        "172.16.0.1, PRIVATE",
        "172.31.255.255, PRIVATE",
        "192.168.1.1, PRIVATE",
        "100.64.0.1, PRIVATE",
        "fd12::1, PRIVATE",
        "fec0::1, PRIVATE",
        "169.254.1.1, LINK_LOCAL",
        "fe80::1, LINK_LOCAL",
        "169.254.169.254, METADATA",
        "168.63.129.16, METADATA",
        "100.100.100.200, METADATA",
        "fd00:ec2::254, METADATA",
        "224.0.0.1, MULTICAST",
        "ff02::1, MULTICAST",
        "0.0.0.0, RESERVED",
        "0.1.2.3, RESERVED",
        "255.255.255.255, RESERVED",
        "240.0.0.1, RESERVED",
        "192.0.2.1, RESERVED",
        "198.18.0.1, RESERVED",
        "::, RESERVED",
        "4000::1, RESERVED",
        "2001:db8::1, RESERVED",
    })
    void specialAddressesAreRefusedToStrangers(String address, DestinationRefusal refusal) {
        assertThat(DestinationRules.of(STANDARD).address(Bench.address(address), STRANGER))
                .isEqualTo(refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:127.0.0.1, LOOPBACK",
        "::ffff:10.0.0.1, PRIVATE",
        "::127.0.0.1, LOOPBACK",
        "2002:7f00:1::, LOOPBACK",
        "2002:a00:1::1, PRIVATE",
        "2002:a9fe:a9fe::, METADATA",
        "64:ff9b::7f00:1, LOOPBACK",
        "64:ff9b::a9fe:a9fe, METADATA",
        "64:ff9b:1::808:808, PRIVATE",
        "2a00::5efe:a00:1, PRIVATE",
        "2a00::200:5efe:a00:1, PRIVATE",
        "2001:0:808:808::1, RESERVED",
        "::8.8.8.8, RESERVED",
    })
    void addressesInsideAddressesAreRefusedToo(String address, DestinationRefusal refusal) {
        assertThat(DestinationRules.of(STANDARD).address(Bench.address(address), STRANGER))
                .isEqualTo(refusal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2a00:1450::1", "64:ff9b::808:808", "2002:808:808::"})
    void publicAddressesPass(String address) {
        assertThat(DestinationRules.of(STANDARD).address(Bench.address(address), STRANGER))
                .isNull();
    }

    @Test
    void clientsOnThisMachineMayReachThisMachineAndNothingElseSpecial() {
        DestinationRules rules = DestinationRules.of(STANDARD);
        assertThat(rules.address(LOOPBACK, LOOPBACK)).isNull();
        assertThat(rules.address(Bench.address("::1"), LOOPBACK)).isNull();
        assertThat(rules.address(Bench.address("10.0.0.1"), LOOPBACK)).isEqualTo(DestinationRefusal.PRIVATE);
        assertThat(rules.address(Bench.address("169.254.169.254"), LOOPBACK)).isEqualTo(DestinationRefusal.METADATA);
    }

    @Test
    void loopbackForLoopbackCanBeTurnedOff() {
        DestinationRules rules = DestinationRules.of(new DestinationsConfig(
                STANDARD.clients(), List.of(), List.of(), List.of(), List.of(), false, List.of()));
        assertThat(rules.address(LOOPBACK, LOOPBACK)).isEqualTo(DestinationRefusal.LOOPBACK);
    }

    @Test
    void allowedNetworksPassAndDeniedOnesWin() {
        DestinationRules rules = rules(List.of("10.0.0.0/8", "fd00::/8"), List.of("10.9.0.0/16", "8.8.8.8"));
        assertThat(rules.address(Bench.address("10.1.2.3"), STRANGER)).isNull();
        assertThat(rules.address(Bench.address("fd00::1"), STRANGER)).isNull();
        assertThat(rules.address(Bench.address("2002:a01:203::"), STRANGER)).isNull();
        assertThat(rules.address(Bench.address("10.9.1.1"), STRANGER)).isEqualTo(DestinationRefusal.ADDRESS_DENIED);
        assertThat(rules.address(Bench.address("8.8.8.8"), STRANGER)).isEqualTo(DestinationRefusal.ADDRESS_DENIED);
        assertThat(rules.address(Bench.address("2002:a09:101::"), STRANGER))
                .isEqualTo(DestinationRefusal.ADDRESS_DENIED);
        assertThat(rules.address(Bench.address("192.168.0.1"), STRANGER)).isEqualTo(DestinationRefusal.PRIVATE);
    }

    @Test
    void onlyTheAllowedOnesOfSeveralAddressesAreLeft() {
        List<InetAddress> some = List.of(LOOPBACK, Bench.address("8.8.8.8"), Bench.address("10.0.0.1"));
        assertThat(DestinationRules.of(STANDARD).allowed(some, STRANGER)).containsExactly(Bench.address("8.8.8.8"));
    }

    @Test
    void refusedAddressesAreCountedUnderTheirReason() {
        Bench bench = new Bench();
        DestinationRefusal why = DestinationRules.of(STANDARD).address(Bench.address("169.254.169.254"), STRANGER);
        assertThat(why).isEqualTo(DestinationRefusal.METADATA);
        bench.host.count(Objects.requireNonNull(why));
        assertThat(bench.stats.value(ProxyStats.DESTINATIONS_REFUSED, "metadata"))
                .isEqualTo(1);
        assertThat(bench.stats.sum(ProxyStats.DESTINATIONS_REFUSED)).isEqualTo(1);
    }

    /** What passed once is remembered, for those who may have it and for the rules that said so. */
    @Test
    void whatWasFetchedIsForThoseWhoMayGoThere() {
        DestinationRules rules = DestinationRules.of(STANDARD);
        FetchedFrom here = FetchedFrom.of(LOOPBACK);
        FetchedFrom elsewhere = FetchedFrom.of(Bench.address("8.8.8.8"));
        FetchedFrom inside = FetchedFrom.of(Bench.address("10.0.0.1"));
        for (int i = 0; i < 3; i++) {
            assertThat(rules.mayHave(here, LOOPBACK)).isTrue();
            assertThat(rules.mayHave(here, STRANGER)).isFalse();
            assertThat(rules.mayHave(elsewhere, LOOPBACK)).isTrue();
            assertThat(rules.mayHave(elsewhere, STRANGER)).isTrue();
            assertThat(rules.mayHave(inside, LOOPBACK)).isFalse();
        }
        Object before = here.passed();
        DestinationRules again = DestinationRules.of(STANDARD);
        assertThat(again.mayHave(here, STRANGER)).isFalse();
        assertThat(again.mayHave(here, LOOPBACK)).isTrue();
        assertThat(here.passed()).isNotNull().isNotSameAs(before);
        assertThat(again.audience(true, LOOPBACK)).isNotSameAs(again.audience(true, STRANGER));
        assertThat(again.audience(true, LOOPBACK)).isNotSameAs(rules.audience(true, LOOPBACK));
        assertThat(again.audience(true, STRANGER)).isNotSameAs(again.audience(false, STRANGER));
    }

    @Test
    void strangersAreNoClients() {
        DestinationRules rules = DestinationRules.of(STANDARD);
        assertThat(rules.client(STRANGER)).isEqualTo(DestinationRefusal.CLIENT);
        assertThat(rules.client(Bench.address("2002:7f00:1::"))).isEqualTo(DestinationRefusal.CLIENT);
        assertThat(rules.client(LOOPBACK)).isNull();
        assertThat(rules.client(Bench.address("::1"))).isNull();
    }

    @Test
    void portsAreThoseOfTheWebUnlessConfigured() {
        DestinationRules rules = DestinationRules.of(STANDARD);
        assertThat(rules.host("a", 80, null)).isNull();
        assertThat(rules.host("a", 443, null)).isNull();
        assertThat(rules.host("a", 1024, null)).isNull();
        assertThat(rules.host("a", 1023, null)).isEqualTo(DestinationRefusal.PORT);
        assertThat(rules.host("a", 25, null)).isEqualTo(DestinationRefusal.PORT);
        DestinationRules few = hosts(List.of(), List.of(), List.of("8000-8001"));
        assertThat(few.host("a", 8001, null)).isNull();
        assertThat(few.host("a", 8002, null)).isEqualTo(DestinationRefusal.PORT);
        assertThat(few.host("a", 80, null)).isEqualTo(DestinationRefusal.PORT);
    }

    @Test
    void tunnelsReachTheirOwnPortsOnly() {
        DestinationRules rules = DestinationRules.of(STANDARD);
        assertThat(rules.host("a", 443, PortRules.TLS)).isNull();
        assertThat(rules.host("a", 80, PortRules.TLS)).isEqualTo(DestinationRefusal.PORT);
        assertThat(rules.host("a", 8443, PortRules.of(List.of("443", "8443")))).isNull();
    }

    @Test
    void deniedHostsAreRefusedInAnySpelling() {
        DestinationRules rules = hosts(List.of(), List.of("bad.example", "*.worse.example"), List.of());
        assertThat(rules.host("bad.example", 80, null)).isEqualTo(DestinationRefusal.HOST_DENIED);
        assertThat(rules.host("BAD.example.", 80, null)).isEqualTo(DestinationRefusal.HOST_DENIED);
        assertThat(rules.host("a.b.worse.example", 80, null)).isEqualTo(DestinationRefusal.HOST_DENIED);
        assertThat(rules.host("worse.example", 80, null)).isNull();
        assertThat(rules.host("", 80, null)).isEqualTo(DestinationRefusal.HOST_DENIED);
    }

    /** An address has many texts, of which clients choose. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.9, 192.0.2.9",
        "192.0.2.9, ::ffff:192.0.2.9",
        "192.0.2.9, ::FFFF:c000:0209",
        "192.0.2.9, 0:0:0:0:0:ffff:c000:209",
        "192.0.2.9, 64:ff9b::c000:209",
        "192.0.2.9, 192.0.2.09",
        "192.0.2.9, 192.0.02.011",
        "192.0.2.9, 0300.0.2.9",
        "::ffff:192.0.2.9, 192.0.2.9",
        "2a00:0:0::1, 2A00::1",
        "2a00::1, 2a00:0:0:0:0:0:0:1",
    })
    void deniedAddressesAreRefusedInAnySpelling(String denied, String host) {
        DestinationRules rules = hosts(List.of(), List.of(denied), List.of());
        assertThat(rules.host(host, 80, null)).isEqualTo(DestinationRefusal.HOST_DENIED);
        assertThat(rules.host("192.0.2.10", 80, null)).isNull();
        assertThat(rules.host("2a00::2", 80, null)).isNull();
        assertThat(rules.host("www9.example.com", 80, null)).isNull();
    }

    @Test
    void allowedHostsAreTheOnlyOnes() {
        DestinationRules rules = hosts(List.of("good.example"), List.of(), List.of());
        assertThat(rules.host("good.example", 80, null)).isNull();
        assertThat(rules.host("other.example", 80, null)).isEqualTo(DestinationRefusal.HOST_NOT_ALLOWED);
        // what it may mean is not what was allowed
        DestinationRules vague = hosts(List.of("010.0.0.1", "2002:808:808::"), List.of(), List.of());
        for (String host : List.of("8.0.0.1", "10.0.0.1", "8.8.8.8")) {
            assertThat(vague.host(host, 80, null)).as(host).isEqualTo(DestinationRefusal.HOST_NOT_ALLOWED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.1/8", "10.0.0.0/33", "10.0.0/8", "x", "::/129", "fe80::1%1", "1.2.3.4.5", "", "10.0.0.0/"
            })
    void wrongNetworksAreNamed(String network) {
        assertThatThrownBy(() -> rules(List.of(network), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("proxy.destinations.allow")
                .hasMessageContaining(network);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "http", "2-1", "1-", ""})
    void wrongPortsAreNamed(String port) {
        assertThatThrownBy(() -> hosts(List.of(), List.of(), List.of(port)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("proxy.destinations.ports");
    }

    @Test
    void wrongDestinationsAreProblemsOfTheConfiguration() {
        Bench bench =
                new Bench().set("destinations", Bench.map("deny", List.of("nonsense"), "deny-hosts", List.of("a b")));
        assertThat(bench.problems())
                .extracting(p -> p.key())
                .containsExactly("proxy.destinations.deny", "proxy.destinations.deny-hosts");
    }

    @Test
    void trustedProxiesAreNetworks() {
        assertThat(new TrustedProxies(List.of("10.0.0.0/8")).contains(Bench.address("10.1.1.1")))
                .isTrue();
        assertThat(new TrustedProxies(List.of("10.0.0.0/8")).contains(STRANGER)).isFalse();
        assertThat(new TrustedProxies(List.of()).contains(LOOPBACK)).isFalse();
    }
}
