package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cluster.kit.Jars;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.kit.TestCluster.Member;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.Deployment;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentsTest {
    @TempDir
    Path folder;

    private final Map<String, Deployments> deployments = new HashMap<>();
    private final Map<String, ArchiveStore> stores = new HashMap<>();
    private final Map<String, ServiceThreads> threads = new HashMap<>();
    private final TestCluster c = new TestCluster().running(this::code);
    private BinaryConfig configured = (_, spec) -> spec;
    private boolean unreachable;

    /** What a member's configuration makes of a declared service. */
    private interface BinaryConfig {
        SingletonSpec apply(String member, SingletonSpec declared);
    }

    private Activations code(Member m) {
        String name = m.node.self().member();
        try {
            ArchiveStore store = new ArchiveStore(folder.resolve("store-" + name));
            stores.put(name, store);
            Deployments d = new Deployments(
                    new Deployments.Parts(
                            name,
                            c.loop,
                            m.node::now,
                            store,
                            this::fetch,
                            spec -> configured.apply(name, spec),
                            spec -> {
                                throw new ServiceFault("none but deployed ones here: " + spec.name());
                            },
                            DeploymentsTest.class.getClassLoader(),
                            1 << 20,
                            m.stats,
                            m.log),
                    m.node::proposer);
            m.node.listen(d);
            deployments.put(name, d);
            ServiceThreads t = new ServiceThreads(c.loop, d, m.node.services(), 8, m.log);
            threads.put(name, t);
            return t;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fetch(String from, String sha256, long size, OutputStream into) throws IOException {
        if (unreachable) {
            throw new IOException("nobody home");
        }
        Files.copy(store(from).path(sha256), into);
    }

    private ArchiveStore store(String member) {
        ArchiveStore store = stores.get(member);
        if (store == null) {
            throw new IllegalStateException(member + " is not there");
        }
        return store;
    }

    private Deployments on(String member) {
        Deployments d = deployments.get(member);
        if (d == null) {
            throw new IllegalStateException(member + " is not there");
        }
        return d;
    }

    @AfterEach
    void close() {
        deployments.values().forEach(Deployments::close);
        threads.values().forEach(ServiceThreads::close);
    }

    /** A service that tells which version of it is active where. */
    private Path jar(String version) throws IOException {
        String source = """
                package users;

                public class Poller implements io.weir.cluster.weblogic.SingletonService {
                    public void activate() {
                        System.setProperty("%s", "%s");
                    }

                    public void deactivate() {
                        System.setProperty("%s", "off");
                    }
                }
                """.formatted(property(), version, property());
        Path to = Files.createDirectories(folder.resolve("jar-" + version));
        return Jars.jar(to, Map.of("users.Poller", source), Jars.descriptor("users.Poller", "poller"));
    }

    private String property() {
        return "weir.test." + folder.getFileName();
    }

    private String deploy(String member, Path jar) {
        CompletableFuture<String> done = on(member).deploy("poller-app", jar, "operator");
        c.loop.until("deployed", done::isDone);
        return done.join();
    }

    private void untilActive(String version) {
        c.loop.until(
                version + " is active",
                () -> version.equals(System.getProperty(property()))
                        && !c.active("poller").isEmpty());
    }

    @Test
    void aDeployedServiceIsActivatedAndARedeployedOneMovesToTheNewClassWithoutARestart() throws Exception {
        c.start("a");
        assertThat(deploy("a", jar("one")))
                .startsWith("poller-app deployed, version ")
                .endsWith("singletons: poller");
        untilActive("one");
        assertThat(deploy("a", jar("two"))).startsWith("poller-app deployed anew");
        untilActive("two");
        c.loop.until("the old loader is closed", () -> c.member("a").log.count(ClusterMessages.UNDEPLOYED) == 1);
        assertThat(on("a").open()).isEqualTo(1);
        assertThat(c.member("a").stats.value(ClusterStats.DEPLOYED, "redeployed"))
                .isEqualTo(1);
    }

    @Test
    void theConfigurationOfTheMemberThatDeploysIsEveryMembers() throws Exception {
        configured = (member, spec) -> spec.preferring("b").with(Map.of("from", member));
        c.start("a", "b");
        deploy("a", jar("one"));
        c.loop.until("active on b", () -> c.active("poller").equals("b"));
        for (String member : new String[] {"a", "b"}) {
            assertThat(spec(member).preferred()).isEqualTo("b");
            assertThat(spec(member).properties()).containsExactly(Map.entry("from", "a"));
        }
    }

    private SingletonSpec spec(String member) {
        SingletonState poller = c.member(member).node.now().singletons().get("poller");
        if (poller == null) {
            throw new IllegalStateException("there is no poller");
        }
        return poller.spec();
    }

    @Test
    void anUndeployedServiceIsDeactivatedAndNothingOfItStays() throws Exception {
        c.start("a");
        deploy("a", jar("one"));
        untilActive("one");
        CompletableFuture<String> gone = on("a").undeploy("poller-app", "operator");
        c.loop.until("undeployed", gone::isDone);
        c.loop.until("closed", () -> on("a").open() == 0 && isEmpty(folder.resolve("store-a")));
        assertThat(System.getProperty(property())).isEqualTo("off");
    }

    private Deployment deployed(String member) {
        Deployment d = c.member(member).node.now().deployments().get("poller-app");
        if (d == null) {
            throw new IllegalStateException("nothing is deployed");
        }
        return d;
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyMemberHasTheContentsSoAFailOverNeedsNobody() throws Exception {
        c.start("a", "b");
        deploy("a", jar("one"));
        String sha = deployed("a").sha256();
        c.loop.until("b has it too", () -> store("b").has(sha) && sources() == 2);
        unreachable = true;
        c.kill("a");
        c.loop.pass(Duration.ofSeconds(12));
        c.loop.until("active on b", () -> c.active("poller").equals("b"));
        c.restart("a");
        c.loop.pass(Duration.ofSeconds(2));
        c.kill("b");
        c.loop.pass(Duration.ofSeconds(12));
        c.loop.until("active on a, from its disk", () -> c.active("poller").equals("a"));
    }

    private int sources() {
        return deployed("b").sources().size();
    }

    @Test
    void contentsThatCannotBeHadAreSaidToBeMissingAndAskedForAgain() throws Exception {
        c.start("a", "b");
        unreachable = true;
        deploy("a", jar("one"));
        c.loop.until("tried", () -> c.member("b").log.count(ClusterMessages.DEPLOYMENT_MISSING) > 0);
        unreachable = false;
        String sha = deployed("b").sha256();
        c.loop.until("the next attempt was asked for", () -> {
            c.loop.pass(Duration.ofMillis(100));
            return store("b").has(sha);
        });
    }

    @Test
    void aBrokenJarIsRefusedAndNothingChanges() throws Exception {
        c.start("a");
        Path broken = Files.writeString(folder.resolve("broken.jar"), "no");
        CompletableFuture<String> done = on("a").deploy("broken", broken, "operator");
        c.loop.until("answered", done::isDone);
        assertThatThrownBy(done::join).hasCauseInstanceOf(DeployFault.class).hasMessageContaining("no jar");
        assertThat(c.member("a").node.now().deployments()).isEmpty();
        assertThatThrownBy(() -> on("a").redeploy("broken", broken, "o").join())
                .hasMessageContaining("there is no deployment broken");
        assertThatThrownBy(() -> on("a").undeploy("broken", "o").join())
                .hasMessageContaining("there is no deployment broken");
    }
}
