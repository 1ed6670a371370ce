package io.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.cluster.config.FailBack;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.config.MisfirePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterChecksTest {
    private static final String LISTENERS = """
            listeners:
              messaging: {port: 7001, protocol: weir}
            messaging:
              queues: {demo: {}}
            """;
    private static final String THREE = "127.0.0.1:7001, 127.0.0.1:7002, 127.0.0.1:7003";

    @TempDir
    private Path home = Path.of("");

    private LoadedConfig load(String text) throws IOException {
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, LISTENERS + text);
        return new ConfigLoader(file, List.of(), home).load();
    }

    private List<String> problems(String text) throws IOException {
        return load(text).problems().stream()
                .map(ConfigProblem::toString)
                .map(p -> p.replace(home + "/", ""))
                .toList();
    }

    private void refused(String text, String... parts) throws IOException {
        assertThat(problems(text)).singleElement().asString().contains(parts);
    }

    @Test
    void aServerIsAClusterOfOneWithoutConfiguration() throws IOException {
        LoadedConfig loaded = load("");
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().cluster().alone()).isTrue();
        assertThat(loaded.value().cluster().memberName("weir")).isEqualTo("weir");
        assertThat(loaded.value().cluster().leasing()).isEqualTo(Leasing.CONSENSUS);
        assertThat(loaded.value().cluster().lease().timeToLiveNanos()).isEqualTo(9_000_000_000L);
        assertThat(loaded.value().cluster().lease().renewNanos()).isEqualTo(3_000_000_000L);
        assertThat(loaded.value().cluster().lease().checkNanos()).isEqualTo(500_000_000L);
    }

    @Test
    void threeMembersWithSingletonsAndTimersAreAccepted() throws IOException {
        LoadedConfig loaded = load("cluster: {member: alpha, members: [" + THREE + "]}\n" + """
                singletons:
                  counter: {class-name: acme.Counter, preferred-server: beta, candidate-servers: [alpha, beta],
                            fail-back: after, properties: {folder: /in}}
                timers:
                  night: {schedule: "0 3 * * *", zone: Europe/Berlin, misfire: skip, destination: queue/demo}
                """);
        assertThat(loaded.problems()).isEmpty();
        var counter = Objects.requireNonNull(loaded.value().singletons().get("counter"));
        assertThat(counter.failBack()).isEqualTo(FailBack.AFTER);
        assertThat(counter.additionalMigrationAttempts()).isEqualTo(2);
        assertThat(counter.sleepBetweenAttempts()).isEqualTo(Duration.ofMinutes(5));
        assertThat(counter.properties()).containsEntry("folder", "/in");
        var night = Objects.requireNonNull(loaded.value().timers().get("night"));
        assertThat(night.misfire()).isEqualTo(MisfirePolicy.SKIP);
    }

    @Test
    void twoMembersWithoutWitnessAreRefusedWithBothRemedies() throws IOException {
        refused(
                "cluster:\n  member: alpha\n  members: [127.0.0.1:7001, 127.0.0.1:7002]\n",
                "weir.yaml:7:3: cluster.members: two members cannot agree once one is gone",
                "cluster.role: witness",
                "leasing: database");
    }

    @Test
    void twoMembersOfADatabaseAreAccepted() throws IOException {
        assertThat(problems("cluster: {member: a, members: [127.0.0.1:7001, 127.0.0.1:7002], leasing: database,"
                        + " database: {url: \"jdbc:h2:mem:x\"}}\n"))
                .isEmpty();
    }

    @Test
    void databaseLeasingNeedsTheDatabasesAddress() throws IOException {
        refused(
                "cluster:\n  member: a\n  leasing: database\n",
                "weir.yaml:7:3: cluster.leasing:",
                "cluster.database.url");
    }

    @Test
    void aMemberNeedsItsOwnName() throws IOException {
        refused("cluster: {members: [" + THREE + "]}\n", "cluster.member: others need the name", "member: alpha");
        refused("cluster: {member: \"a b\"}\n", "cluster.member: a name has 1 to 64");
    }

    @Test
    void anAddressThatIsNoneOrIsThereTwiceIsRefused() throws IOException {
        refused(
                "cluster: {member: a, members: [127.0.0.1:7001, localhost, 127.0.0.1:7003]}\n",
                "cluster.members[1]: expected host:port");
        refused(
                "cluster: {member: a, members: [127.0.0.1:7001, 127.0.0.1:7001, 127.0.0.1:7003]}\n",
                "cluster.members[1]: 127.0.0.1:7001 is listed twice");
    }

    @Test
    void thisServerMustBeOneOfTheMembers() throws IOException {
        refused(
                "cluster: {member: a, members: [127.0.0.1:1, 127.0.0.1:2, 127.0.0.1:3]}\n",
                "none has a port of this server's weir listeners (7001)",
                "cluster.advertise");
        refused(
                "cluster: {member: a, members: [" + THREE + "], advertise: \"127.0.0.1:9\"}\n",
                "cluster.advertise: 127.0.0.1:9 is not in cluster.members");
    }

    @Test
    void membersNeedAWeirListener() throws IOException {
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, "listeners: {http: {}}\ncluster: {member: a, members: [" + THREE + "]}\n");
        assertThat(new ConfigLoader(file, List.of(), home).load().problems())
                .singleElement()
                .asString()
                .contains("members communicate through a weir listener", "protocol: weir");
    }

    @Test
    void membersBeyondLoopbackNeedASecret() throws IOException {
        String far = "cluster: {member: a, members: [127.0.0.1:7001, 10.0.0.2:7001, 10.0.0.3:7001]";
        refused(far + "}\n", "10.0.0.2:7001 is not on loopback", "cluster.secret-file");
        assertThat(problems(far + ", secret: open-sesame}\n")).isEmpty();
        refused(far + ", secret-file: nowhere}\n", "cluster.secret-file: the file ", "does not exist");
        Files.writeString(home.resolve("s"), "x");
        refused(
                far + ", secret: x, secret-file: " + home.resolve("s") + "}\n",
                "cluster.secret-file: either secret or secret-file");
    }

    @Test
    void withADatabaseAListenerBeyondLoopbackNeedsASecret() throws IOException {
        String database = "cluster: {member: a, leasing: database, database: {url: \"jdbc:h2:mem:x\"}}\n";
        assertThat(problems(database)).isEmpty();
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, "listeners: {m: {protocol: weir, address: 0.0.0.0}}\n" + database);
        assertThat(new ConfigLoader(file, List.of(), home).load().problems())
                .singleElement()
                .asString()
                .contains("listeners.m.address: 0.0.0.0 is not on loopback", "cluster.secret-file");
    }

    @Test
    void aWitnessHasOthersAndNoDatabase() throws IOException {
        refused("cluster: {role: witness}\n", "cluster.role: a witness needs cluster.members");
        refused(
                "cluster: {member: a, members: [" + THREE + "], role: witness, leasing: database,"
                        + " database: {url: \"jdbc:h2:mem:x\"}}\n",
                "cluster.role: a witness requires leasing: consensus");
    }

    @Test
    void certificatesAreGivenTogetherOrNotAtAll() throws IOException {
        refused("cluster: {tls: {chain-file: a.pem}}\n", "cluster.tls: needs all three");
        assertThat(problems("cluster: {tls: {chain-file: a.pem, key-file: b.pem, trust-file: c.pem}}\n"))
                .hasSize(3)
                .allSatisfy(p -> assertThat(p).contains("does not exist"));
    }

    @Test
    void timesOfALeaseThatContradictEachOtherAreRefused() throws IOException {
        refused("cluster: {lease: {time-to-live: 2s, renew: 1s}}\n", "cluster.lease.renew: two renewals (1s each)");
        refused("cluster: {lease: {margin: 3s}}\n", "cluster.lease.margin: is 3s, not less than grace (1500ms)");
        refused("cluster: {lease: {check: 5s}}\n", "cluster.lease.check: is 5s, more than renew (3s)");
    }

    @Test
    void unknownMembersOfASingletonAreRefused() throws IOException {
        refused(
                "singletons: {c: {class-name: x.Y, preferred-server: beta}}\n",
                "singletons.c.preferred-server: there is no member \"beta\": this server is alone and called \"weir\"");
        refused(
                "cluster: {member: a, members: [" + THREE + "]}\n"
                        + "singletons: {c: {class-name: x.Y, preferred-server: b, candidate-servers: [a, d]}}\n",
                "singletons.c.preferred-server: \"b\" is not in candidate-servers (a, d)");
        refused(
                "cluster: {member: a, members: [" + THREE + "]}\n"
                        + "singletons: {c: {class-name: x.Y, candidate-servers: [a, a]}}\n",
                "singletons.c.candidate-servers: a server is listed twice");
    }

    @Test
    void aSingletonWithoutAClassIsForADeploymentAndIsCheckedAllTheSame() throws IOException {
        assertThat(problems("singletons: {c: {preferred-server: weir}}\n")).isEmpty();
        refused("singletons: {c: {preferred-server: beta}}\n", "singletons.c.preferred-server: there is no member");
        for (String attempts : List.of("-1", "10001")) {
            refused(
                    "singletons: {c: {class-name: x.Y, additional-migration-attempts: " + attempts + "}}\n",
                    "singletons.c.additional-migration-attempts");
        }
        assertThat(problems("singletons: {c: {class-name: x.Y, additional-migration-attempts: 10000}}\n"))
                .isEmpty();
    }

    @Test
    void aTimerHasOneTargetThatExists() throws IOException {
        refused("timers: {t: {schedule: every 30s}}\n", "timers.t: either destination");
        refused(
                "timers: {t: {schedule: every 30s, destination: queue/demo, class-name: a.B}}\n",
                "timers.t: either destination");
        refused(
                "timers: {t: {schedule: every 30s, destination: queue/dema}}\n",
                "timers.t.destination: there is no destination \"queue/dema\"; did you mean \"queue/demo\"?");
        refused(
                "timers: {t: {schedule: \"0 3 * * *\", zone: Mars, class-name: a.B}}\n",
                "timers.t.zone: unknown time zone \"Mars\"");
        refused("timers: {t: {schedule: \"61 3 * * *\", class-name: a.B}}\n", "timers.t.schedule: ", "61");
    }

    @Test
    void theListenerForOtherCachesNeedsOthersAndTheirSecret() throws IOException {
        String members = "cluster: {member: a, members: [" + THREE + "]}\n";
        assertThat(problems(caches("127.0.0.1"), members)).isEmpty();
        assertThat(problems(caches("127.0.0.1"), ""))
                .singleElement()
                .asString()
                .contains("listeners.caches.protocol", "this server is alone");
        assertThat(problems(caches("10.0.0.1"), members))
                .singleElement()
                .asString()
                .contains("listeners.caches.address: 10.0.0.1 is not on loopback", "cluster.secret-file");
        assertThat(problems(caches("0.0.0.0"), members.replace("member:", "secret: secretsecretsecret, member:")))
                .singleElement()
                .asString()
                .contains("listeners.caches.address", "the other members are told this address");
        assertThat(problems(caches("127.0.0.1"), members + "server: {processes: 2}\n"))
                .singleElement()
                .asString()
                .contains("listeners.caches.protocol", "server.processes: 1");
        assertThat(problems(caches("127.0.0.1") + "  more: {port: 0, protocol: cache}\n", members))
                .singleElement()
                .asString()
                .contains("listeners.more.protocol", "caches has the protocol cache already");
    }

    @Test
    void theListenerForOtherCachesSpeaksPlainHttp1BetweenMembers() throws IOException {
        String members = "cluster: {member: a, members: [" + THREE + "]}\n";
        for (String more : List.of("http2: only", "proxy-protocol: {enabled: on}")) {
            assertThat(problems("  caches: {address: 127.0.0.1, protocol: cache, " + more + "}\n", members))
                    .singleElement()
                    .asString()
                    .contains("listeners.caches." + more.substring(0, more.indexOf(':')), "does not apply here");
        }
    }

    private static String caches(String address) {
        return "  caches: {address: " + address + ", protocol: cache}\n";
    }

    private List<String> problems(String listener, String rest) throws IOException {
        Path file = home.resolve("weir.yaml");
        Files.writeString(file, LISTENERS.replace("messaging:\n  queues", listener + "messaging:\n  queues") + rest);
        return new ConfigLoader(file, List.of(), home)
                .load().problems().stream().map(ConfigProblem::toString).toList();
    }
}
