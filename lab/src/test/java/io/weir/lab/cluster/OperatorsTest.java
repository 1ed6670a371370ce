package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.cluster.service.Desk;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.wire.invoke.InvocationFault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do to three servers, and what happens to these meanwhile. Each test finds all members live. */
@Tag("slow")
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OperatorsTest {
    private static final String SETTINGS = """
              lease: {time-to-live: 4s}
              initial-boot-delay: 60s
              halt-on-hang: on
              deactivation-time-out: 2s
            """;
    private static final String SECTIONS = Works.desk("home", "preferred-server: beta, fail-back: immediate")
            + Works.desk("later", "preferred-server: beta, fail-back: after, fail-back-delay: 2s")
            + Works.desk("stays", "preferred-server: beta")
            + Works.tick();

    private @Nullable Works shared;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        shared = new Works(folder, SETTINGS, SECTIONS);
        fleet().startAll();
    }

    @BeforeEach
    void whole() throws Exception {
        works().whole();
    }

    @AfterAll
    void close() {
        works().close();
    }

    private Works works() {
        return Objects.requireNonNull(shared);
    }

    private Fleet fleet() {
        return works().fleet();
    }

    @Test
    void whatIsThereIsShownByEachMember() throws Exception {
        String at = works().active("desk");
        for (String member : fleet().names()) {
            assertThat(works().weir(member, "cluster status"))
                    .containsPattern("leasing +consensus\n")
                    .containsPattern("members live +3\n")
                    .containsPattern("leader +(alpha|beta|gamma)\n");
            assertThat(works().weir(member, "cluster members"))
                    .containsPattern("alpha +live .*\nbeta +live .*\ngamma +live ");
            assertThat(works().weir(member, "cluster singletons")).containsPattern("desk +active +" + at + " ");
            assertThat(works().weir(member, "cluster timers")).containsPattern("tick +\\* \\* \\* \\* \\* \\* ");
        }
        String explained = works().weir(at, "cluster explain", "desk");
        assertThat(explained).contains(fleet().names());
    }

    @Test
    void aSingletonIsMovedPausedAndResumedByCommands() throws Exception {
        String from = works().active("desk");
        String to = fleet().other(from);
        assertThat(works().weir(fleet().other(from, to), "cluster migrate", "desk", "--to", to, "--reason", "a try"))
                .isEqualTo("migrate desk to " + to + ": done\n");
        assertThat(works().active("desk")).isEqualTo(to);
        assertThat(works().weir(from, "cluster pause", "desk")).isEqualTo("pause desk: done\n");
        fleet().await("it is nowhere", () -> fleet().active("desk", from).isEmpty());
        assertThat(works().weir(to, "cluster explain", "desk")).contains("paused");
        assertThat(works().weir(from, "cluster resume", "desk")).isEqualTo("resume desk: done\n");
        works().active("desk");
        assertThat(works().weir(to, "cluster history", "desk", "-n", "50"))
                .contains("migrat", "a try", "pause", "resume", "token");
        List<String> done = new ArrayList<>(works().notes("active", "desk"));
        assertThat(done)
                .as("one activation each")
                .hasSizeGreaterThanOrEqualTo(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void aFourthMemberIsAddedAndAnotherRemovedByCommands() throws Exception {
        fleet().extra("delta");
        fleet().start("delta");
        fleet().await("delta is refused", () -> fleet().fact("delta", "waiting").contains("./weir cluster add"));
        String active = works().active("desk");
        assertThat(works().weir("alpha", "cluster add", fleet().address("delta")))
                .contains("delta was added");
        fleet().await(
                        "delta is in",
                        () -> fleet().fact("delta", "waiting").isEmpty()
                                && fleet().fact("delta", "membersLive").equals("4"));
        fleet().server("delta").stop();
        fleet().server("delta").exit();
        fleet().await("it is gone", () -> fleet().fact("alpha", "membersLive").equals("3"));
        assertThat(works().weir("alpha", "cluster remove", "delta")).contains("delta was removed");
        fleet().await(
                        "it is forgotten",
                        () -> fleet().get("beta", "/cluster/members").indexOf("delta") < 0);
        assertThat(works().active("desk")).isEqualTo(active);
    }

    /** The new machine gets the place while the old one still runs, and leads the log in the first case. */
    @Test
    void aMemberIsReplacedByOneOfTheSameNameOnAnotherMachine() throws Exception {
        String leader = fleet().fact("alpha", "leader");
        replace(leader);
        replace(fleet().other(fleet().fact("alpha", "leader"), leader));
    }

    private void replace(String name) throws Exception {
        String operator = fleet().other(name);
        ProcessLauncher.Running old = fleet().moves(name);
        fleet().start(name);
        fleet().await("it is not let in", () -> !fleet().fact(name, "waiting").isEmpty());
        assertThat(works().weir(operator, "cluster replace", name, fleet().address(name)))
                .contains(name + " was replaced");
        old.kill();
        old.exit();
        fleet().await(
                        "it has its place",
                        () -> fleet().field(operator, "/cluster/members", "member", name, "address")
                                .equals(fleet().address(name)));
        works().whole();
    }

    @Test
    void withoutAMajorityAMemberSaysSoAndWhatStopped() throws Exception {
        String active = works().active("desk");
        assertThat(fleet().fact(active, "outage")).isEmpty();
        for (String other : fleet().names()) {
            if (!other.equals(active)) {
                works().kill(other);
            }
        }
        String other = fleet().other(active);
        fleet().await("it has stopped", () -> fleet().fact(active, "outage").contains("stopped here:"));
        assertThat(works().weir(active, "cluster status"))
                .containsPattern("outage +no majority since \\d{4}-.*Z; stopped here: .*desk");
        assertThat(works().weir(active, "cluster members"))
                .containsPattern(active + " +cut-off ")
                .containsPattern(other + " +unknown ");
        assertThat(works().weir(active, "cluster singletons")).containsPattern("desk +stopped +");
        assertThat(works().weir(active, "cluster explain", "desk"))
                .contains("no majority since", "desk is stopped on " + active, other + ": unknown")
                .doesNotContain("held by " + other, "desk is active");
        assertThat(fleet().get(active, "/metrics"))
                .containsPattern("weir_singleton_phase\\{[^}]*phase=\"stopped\"[^}]*singleton=\"desk\"")
                .doesNotContainPattern("weir_singleton_phase\\{[^}]*phase=\"active\"[^}]*singleton=\"desk\"")
                .doesNotContainPattern("weir_lease_owner\\{[^}]*owner=\"" + other);
        assertThat(fleet().get(active, "/health")).contains("no majority since", "\"status\":\"warning\"");
        works().whole();
        fleet().await("it is over", () -> fleet().fact(active, "outage").isEmpty());
    }

    @Test
    void aMemberThatLostItsDiskComesBackAndRunsWhatItIsGiven() throws Exception {
        String before = fleet().field("alpha", "/cluster/members", "member", "gamma", "incarnation");
        works().kill("gamma");
        fleet().wipe("gamma");
        works().whole();
        // until its lease ends, the dead one of that name looks like one that is slow
        fleet().await(
                        "the new one is in",
                        () -> !fleet().field("alpha", "/cluster/members", "member", "gamma", "incarnation")
                                .equals(before));
        works().whole();
        if (!works().active("desk").equals("gamma")) {
            works().weir("gamma", "cluster migrate", "desk", "--to", "gamma");
        }
        fleet().await("it runs there", () -> works().active("desk").equals("gamma"));
    }

    @Test
    void whoDoesNotLetGoEndsWithStatus86AndAnotherGoesOn() throws Exception {
        String hung = works().active("desk");
        works().put("hang-desk");
        works().weir(hung, "cluster migrate", "desk");
        assertThat(fleet().server(hung).exit()).as(fleet().logs()).isEqualTo(86);
        works().take("hang-desk");
        assertThat(works().active("desk")).isNotEqualTo(hung);
        assertThat(fleet().server(hung).log()).anyMatch(l -> l.contains("desk") && l.contains("halt"));
    }

    @Test
    void whatFailsBackGoesHomeWhenItsServerIsBackAndTheRestStays() throws Exception {
        for (String name : List.of("home", "later", "stays")) {
            if (!works().active(name).equals("beta")) {
                works().weir("beta", "cluster migrate", name, "--to", "beta");
            }
            fleet().await(name + " is at home", () -> works().active(name).equals("beta"));
        }
        works().kill("beta");
        String refuge = works().active("stays");
        for (String name : List.of("home", "later", "stays")) {
            fleet().await(name + " is elsewhere", () -> !works().active(name).equals("beta"));
        }
        fleet().restart("beta");
        fleet().await("at once", () -> works().active("home").equals("beta"));
        fleet().await("after a time", () -> works().active("later").equals("beta"));
        assertThat(works().active("stays")).isEqualTo(refuge);
        assertThat(works().weir("alpha", "cluster history", "later")).contains("back");
    }

    /** All times there are between the first and the last firing; repeated only with a higher fence. */
    @Test
    void aTimerFiresForEachTimeAcrossDeathsAndARestartOfAll() throws Exception {
        ticks(3);
        works().put("hold-fired");
        int before = works().notes("fired").size();
        fleet().await("one is being fired", () -> works().notes("fired").size() > before);
        String killed = last(works().notes("fired"));
        works().kill(killed);
        works().take("hold-fired");
        fleet().await(
                        "somebody else goes on",
                        () -> !last(works().notes("fired")).equals(killed));
        ticks(3);
        works().whole();
        for (String name : fleet().names()) {
            fleet().server(name).stop();
        }
        for (String name : fleet().names()) {
            fleet().server(name).exit();
        }
        fleet().startAll();
        works().whole();
        ticks(3);
        Firings firings = Firings.of(works().notes("fired"));
        assertThat(firings.violations()).as(works().notes("fired").toString()).isEmpty();
        assertThat(firings.repeated()).as("what the killed one had begun").isNotEmpty();
        System.out.println("timer: " + firings.told());
    }

    private static String last(List<String> notes) {
        return notes.getLast().substring(notes.getLast().lastIndexOf(' ') + 1);
    }

    private void ticks(int more) throws Exception {
        int before = works().notes("fired").size();
        fleet().await(more + " more firings", () -> works().notes("fired").size() >= before + more);
    }

    /** Stopped while it was to bind, and while its timers fired: nothing of that has effect when it wakes. */
    @Test
    void whoWakesAfterItsLeaseBindsAndFiresNothing() throws Exception {
        String sleeper = works().active("desk");
        if (!works().active("weir.timers").equals(sleeper)) {
            works().weir(sleeper, "cluster migrate", "weir.timers", "--to", sleeper);
        }
        fleet().await(
                        "the timers fire there, too",
                        () -> last(works().notes("fired")).equals(sleeper));
        Desk desk = works().look(Desk.class, "app/desk");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> bind = callers.submit((Callable<Boolean>) () -> desk.bindOnceTold("late"));
            fleet().await("it is called", () -> !works().notes("asked", "late").isEmpty());
            fleet().signal(sleeper, "STOP");
            String other = fleet().other(sleeper);
            try {
                fleet().await("the desk is elsewhere", () -> {
                    String at = fleet().active("desk", other);
                    return !at.isEmpty() && !at.equals(sleeper);
                });
                fleet().await(
                                "the timers are elsewhere",
                                () -> !last(works().notes("fired")).equals(sleeper));
            } finally {
                works().put("bind-late");
                fleet().signal(sleeper, "CONT");
            }
            assertThat(bound(bind)).isFalse();
            fleet().await("it tried", () -> works().notes("bound").size() == 2);
            assertThat(works().notes("bound"))
                    .allMatch(l -> l.endsWith(" NoPermissionException " + sleeper), "refused by its fence");
            works().whole();
            ticks(3);
            assertThat(fleet().get(other, "/cluster/bindings")).doesNotContain("late");
            assertThat(Firings.of(works().notes("fired")).violations()).isEmpty();
            List<String> refused = fleet().get(sleeper, "/metrics")
                    .lines()
                    .filter(l -> l.startsWith("weir_cluster_fence_refused_total"))
                    .toList();
            assertThat(refused).anyMatch(l -> l.contains("what=\"bind"));
            System.out.println("refused after SIGCONT: " + refused);
        }
    }

    /** The caller gets the answer, or learns that the connection was lost meanwhile. */
    private static boolean bound(Future<Boolean> call) throws Exception {
        try {
            return call.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(InvocationFault.class);
            return false;
        }
    }

    /** Two that run singletons, and one that only votes. */
    @Test
    void aWitnessLetsTheSurvivorGoOnAndRunsNothing(@TempDir Path folder) throws Exception {
        try (Works two = new Works(folder, SETTINGS, "")) {
            two.fleet().own("gamma", "  role: witness\n").startAll();
            two.whole();
            for (int deaths = 0; deaths < 2; deaths++) {
                String killed = two.active("desk");
                two.kill(killed);
                assertThat(two.active("desk")).isNotEqualTo(killed);
                two.whole();
            }
            assertThat(two.weir("alpha", "cluster members")).containsPattern("gamma +live +(yes|no) +yes ");
            assertThat(two.notes("active")).hasSizeGreaterThan(2).noneMatch(l -> l.endsWith(" gamma"));
        }
    }
}
