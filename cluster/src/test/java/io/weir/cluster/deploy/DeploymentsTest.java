package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cluster.kit.Jars;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.kit.TestCluster.Member;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DeploymentsTest {
    @TempDir
    Path folder;

    private final Map<String, Deployments> deployments = new HashMap<>();
    private final Map<String, ArchiveStore> stores = new HashMap<>();
    private final Map<String, CountedThreads> threads = new HashMap<>();
    private final TestCluster c = new TestCluster().running(this::code);
    private BinaryConfig configured = (_, spec) -> spec;
    private boolean unreachable;
    /** As a member knows it that has not applied its log again yet; null for what it is. */
    private volatile @Nullable ClusterState past;
    /** Lives up to this one began before. */
    private volatile long older;

    private final AtomicInteger reads = new AtomicInteger();
    /** Run once, by who tidies next, after it read the state: where it looks around, too, is not what matters. */
    private final AtomicReference<@Nullable Runnable> between = new AtomicReference<>();
    /** Where deployments are proposed to; null for the member's own. */
    private volatile @Nullable Proposer proposer;

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
                            m.node.self(),
                            c.loop,
                            () -> read(m),
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
                    () -> proposer == null ? m.node.proposer() : proposer);
            m.node.listen(d);
            deployments.put(name, d);
            CountedThreads t = new CountedThreads();
            threads.put(name, t);
            return new ServiceThreads(c.loop, d, m.node.services(), t, m.log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClusterState read(Member m) {
        reads.incrementAndGet();
        ClusterState before = past;
        ClusterState read = before == null || m.node.self().incarnation() <= older ? m.node.now() : before;
        Runnable hook = tidying() ? between.getAndSet(null) : null;
        if (hook != null) {
            hook.run();
        }
        return read;
    }

    private static boolean tidying() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f -> f.getMethodName().equals("removeOrphans")));
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
        threads.values().forEach(CountedThreads::close);
        c.loop.until("deployments ended", () -> deployments.values().stream().allMatch(Deployments::ended));
        c.loop.until("calls ended", () -> threads.values().stream().allMatch(CountedThreads::ended));
    }

    private Path jar(String version) throws IOException {
        return Pollers.jar(folder, version);
    }

    private String property() {
        return Pollers.property(folder);
    }

    private String deploy(String member, Path jar) {
        CompletableFuture<Deployed> done = on(member).deploy("poller-app", jar, "operator", "");
        c.loop.until("deployed", done::isDone);
        return done.join().text();
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
        assertThat(deploy("a", jar("two"))).startsWith("poller-app redeployed");
        untilActive("two");
        c.loop.until("the old loader is closed", () -> c.member("a").log.count(ClusterMessages.UNDEPLOYED) == 1);
        assertThat(on("a").open()).isEqualTo(1);
        assertThat(c.member("a").stats.value(ClusterStats.DEPLOYED, "redeployed"))
                .isEqualTo(1);
    }

    @Test
    void theSameAgainIsSaidToChangeNothing() throws Exception {
        c.start("a");
        Path jar = jar("one");
        deploy("a", jar);
        long version = deployed("a").version();
        assertThat(deploy("a", jar)).startsWith("poller-app unchanged: version " + version + " has this archive");
        assertThat(c.member("a").stats.value(ClusterStats.DEPLOYED, "unchanged"))
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
        CompletableFuture<Deployed> gone = on("a").undeploy("poller-app", "operator", "no more");
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

    /** A member that starts applies its log from the beginning: what it does not know of yet is deployed all the same. */
    @Test
    void nothingIsTidiedBeforeTheStateIsOfToday() throws Exception {
        c.start("a", "b");
        ClusterState before = c.member("b").node.now();
        deploy("a", jar("one"));
        String sha = deployed("a").sha256();
        c.loop.until("b has it too", () -> store("b").has(sha) && sources() == 2);
        older = c.member("b").node.self().incarnation();
        c.kill("b");
        past = before;
        c.restart("b");
        looked("b");
        assertThat(store("b").has(sha)).isTrue();
        past = null;
        c.loop.pass(Duration.ofSeconds(2));
        var _ = on("a").undeploy("poller-app", "operator", "");
        c.loop.until("tidied once it is nobody's", () -> !store("b").has(sha));
    }

    /** The second look begins when the first is over. */
    private void looked(String member) {
        for (int i = 0; i < 2; i++) {
            int known = reads.get();
            on(member).check();
            c.loop.until("looked", () -> reads.get() > known);
        }
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
        CompletableFuture<Deployed> done = on("a").deploy("broken", broken, "operator", "");
        c.loop.until("answered", done::isDone);
        assertThatThrownBy(done::join).hasCauseInstanceOf(DeployFault.class).hasMessageContaining("not a jar");
        assertThat(c.member("a").node.now().deployments()).isEmpty();
        assertThatThrownBy(() -> on("a").redeploy("broken", jar("one"), "o", "").join())
                .hasMessageContaining("there is no deployment broken");
        assertThatThrownBy(() -> on("a").undeploy("broken", "o", "").join())
                .hasMessageContaining("there is no deployment broken");
    }

    private HeldLog held(String member) {
        HeldLog held = new HeldLog(c.member(member).consensus);
        proposer = new Proposer(held, c.loop, "member:" + member);
        return held;
    }

    /** Whatever was asked for before has been done. */
    private void untilIdle(String member) throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.jar"), "no");
        CompletableFuture<Deployed> last = on(member).deploy("broken", broken, "operator", "");
        c.loop.until("idle", last::isDone);
    }

    @Test
    void whatIsCommittedWhileIsLookedAroundIsNotTidiedAway() throws Exception {
        c.start("a");
        HeldLog log = held("a");
        CompletableFuture<Deployed> done = on("a").deploy("poller-app", jar("one"), "operator", "");
        CompletableFuture<byte[]> answer = log.waiting.take();
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        between.set(() -> {
            read.countDown();
            Gate.pass(goOn);
        });
        on("a").check();
        Gate.pass(read);
        answer.complete(log.commit());
        c.loop.until("deployed", done::isDone);
        String sha = deployed("a").sha256();
        goOn.countDown();
        untilIdle("a");
        assertThat(store("a").has(sha)).isTrue();
        untilActive("one");
    }

    @Test
    void whatIsCommittedAfterItsAnswerWasGivenUpHasItsContents() throws Exception {
        c.start("a");
        HeldLog log = held("a");
        CompletableFuture<Deployed> done = on("a").deploy("poller-app", jar("one"), "operator", "");
        log.waiting.take().completeExceptionally(new LogFault(LogFault.Kind.UNKNOWN, "no answer"));
        c.loop.until("given up", done::isDone);
        assertThat(done).isCompletedExceptionally();
        on("a").check();
        untilIdle("a");
        log.commit();
        untilActive("one");
    }

    @Test
    void whatWasNotCommittedForSureGoes() throws Exception {
        c.start("a");
        HeldLog log = held("a");
        CompletableFuture<Deployed> done = on("a").deploy("poller-app", jar("one"), "operator", "");
        log.waiting.take().completeExceptionally(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader"));
        c.loop.until("given up", done::isDone);
        on("a").check();
        untilIdle("a");
        assertThat(isEmpty(folder.resolve("store-a"))).isTrue();
    }

    @Test
    void classesAreLinkedBeforeAnythingIsDeployed() throws Exception {
        c.start("a");
        Map<String, String> faults = new LinkedHashMap<>();
        String head = "package users; ";
        String service = " implements io.weir.cluster.SingletonService { public void activate(io.weir.base.Fence f) {} "
                + "public void deactivate() {} }";
        faults.put(head + "public class Poller {}", "implements neither");
        faults.put(head + "class Poller" + service, "not a public class");
        faults.put(head + "public abstract class Poller" + service, "not a public class");
        faults.put(
                head + "public class Poller" + service.substring(0, service.length() - 1) + "public Poller(int n) {} }",
                "no public constructor");
        int n = 0;
        for (Map.Entry<String, String> fault : faults.entrySet()) {
            Path to = Files.createDirectories(folder.resolve("fault-" + n++));
            refused(Jars.jar(to, Map.of("users.Poller", fault.getKey()), Pollers.DESCRIPTOR), fault.getValue());
        }
        refused(lacking("users/Above.class", "Poller extends Above"), "users/Above");
        refused(lacking("users/Part.class", "Poller", "public Part part() { return null; }"), "users/Part");
        assertThat(c.member("a").node.now().deployments()).isEmpty();
        assertThat(System.getProperty(property())).as("nothing of it was run").isNull();
        untilIdle("a");
        on("a").check();
        untilIdle("a");
        c.loop.until(
                "nothing stays",
                () -> isEmpty(folder.resolve("store-a"))
                        || (isEmpty(folder.resolve("store-a/unpacked")) && filesIn("store-a") == 1));
    }

    private long filesIn(String name) {
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A jar from which a class was left out. */
    private Path lacking(String file, String declared, String... members) throws IOException {
        Path to = Files.createDirectories(folder.resolve("lacking-" + file.replace('/', '-')));
        Path classes = Jars.compile(
                to,
                Map.of(
                        "users.Above", "package users; public class Above {}",
                        "users.Part", "package users; public class Part {}",
                        "users.Poller",
                                "package users; public class " + declared
                                        + " implements io.weir.cluster.SingletonService { static { System.setProperty(\""
                                        + property() + "\", \"run\"); } public void activate(io.weir.base.Fence f) {} "
                                        + "public void deactivate() {} " + String.join(" ", members) + " }"));
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put(Jars.DESCRIPTOR, Pollers.DESCRIPTOR.getBytes(StandardCharsets.UTF_8));
        for (String each : List.of("users/Above.class", "users/Part.class", "users/Poller.class")) {
            if (!each.equals(file)) {
                entries.put(each, Files.readAllBytes(classes.resolve(each)));
            }
        }
        return Jars.zip(to.resolve("made.jar"), entries);
    }

    private void refused(Path jar, String why) {
        CompletableFuture<Deployed> done = on("a").deploy("poller-app", jar, "operator", "");
        c.loop.until("answered", done::isDone);
        assertThatThrownBy(done::join).hasCauseInstanceOf(DeployFault.class).hasMessageContaining(why);
    }

    @Test
    void anEarHasItsClassesAndLibrariesInside() throws Exception {
        c.start("a", "b");
        assertThat(deploy("a", Pollers.ear(folder, true))).contains("singletons: poller");
        untilActive("applib");
        CompletableFuture<Deployed> gone = on("a").undeploy("poller-app", "operator", "");
        c.loop.until("undeployed", gone::isDone);
        c.loop.until("closed", () -> on("a").open() == 0 && isEmpty(folder.resolve("store-a/unpacked")));
        deploy("a", Pollers.ear(folder, false));
        c.loop.until("it fails", () -> c.singleton("poller").reason().contains("NoClassDefFound"));
    }

    @Test
    void redeployFindsTheDeploymentByWhatIsInside() throws Exception {
        c.start("a");
        deploy("a", jar("one"));
        CompletableFuture<Deployed> again = on("a").redeploy("", jar("two"), "operator", "fix");
        c.loop.until("redeployed", again::isDone);
        assertThat(again.join().name()).isEqualTo("poller-app");
        untilActive("two");
        Path other = Jars.jar(
                Files.createDirectories(folder.resolve("other")),
                Map.of("users.Poller", Files.readString(folder.resolve("jar-one/src/users/Poller.java"))),
                Jars.descriptor("users.Poller", "another"));
        CompletableFuture<Deployed> none = on("a").redeploy("", other, "operator", "");
        c.loop.until("answered", none::isDone);
        assertThatThrownBy(none::join)
                .hasMessageContaining("no deployment has any of its singletons (another)")
                .hasMessageContaining("Existing deployments: poller-app");
        CompletableFuture<Deployed> taken = on("a").deploy("renamed-2", jar("two"), "operator", "");
        c.loop.until("answered", taken::isDone);
        assertThatThrownBy(taken::join)
                .hasMessageContaining("there is a singleton poller of deployment poller-app; redeploy replaces");
        Path both = Jars.jar(
                Files.createDirectories(folder.resolve("both")),
                Map.of("users.Poller", Files.readString(folder.resolve("jar-one/src/users/Poller.java"))),
                Jars.descriptor("users.Poller", "poller")
                        .replace(
                                "</weblogic-application>",
                                "<singleton-service><class-name>users.Poller</class-name><name>another</name>"
                                        + "</singleton-service></weblogic-application>"));
        CompletableFuture<Deployed> second = on("a").deploy("second", other, "operator", "");
        c.loop.until("answered", second::isDone);
        CompletableFuture<Deployed> several = on("a").redeploy("", both, "operator", "");
        c.loop.until("answered", several::isDone);
        assertThatThrownBy(several::join).hasMessageContaining("several deployments");
    }
}
