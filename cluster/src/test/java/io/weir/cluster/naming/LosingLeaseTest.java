package io.weir.cluster.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.cluster.Checkpoints;
import io.weir.cluster.ServiceLease;
import io.weir.cluster.kit.TestLoop;
import io.weir.cluster.lease.HeldForTests;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.LossForTests;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import io.weir.wire.invoke.dispatch.Owners;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import javax.naming.ServiceUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a service waits neither for names nor for anything else that the cluster would have to decide. */
@Tag("slow")
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what is tested, and it demands a Hashtable
class LosingLeaseTest {
    private final SharedLog log = new SharedLog();
    private final NamingMember one = new NamingMember("one", 2, log);
    private final NamingMember two = new NamingMember("two", 2, log);

    @AfterEach
    void close() {
        two.close();
        one.close();
    }

    private static void until(BooleanSupplier condition) {
        for (int i = 0; i < 12_000; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        throw new AssertionError("it did not come to pass");
    }

    private void activate(String name, Class<?> type, Map<String, String> properties) {
        SingletonSpec spec =
                SingletonSpec.of(name, type.getName()).preferring("one").with(properties);
        assertThat(one.node
                        .define(List.of(spec))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join())
                .isEmpty();
        until(() -> {
            SingletonState s = one.node.now().singleton(name);
            return s != null && s.phase() == Phase.ACTIVE;
        });
    }

    /** Nothing is heard of what it asks about names: as in a partition, but that it is told from outside to let go. */
    private void pausedWhileNamesAreNotDecided(String service, String name) {
        log.swallow("one", NamingCommand.class::isInstance);
        var _ = two.node.proposer().propose(new SingletonCommand.Pause(service, "a test"));
        until(() -> one.stats.value(ClusterStats.TRANSITIONS, "deactivated") == 1);
        assertThat(log.swallowings())
                .as("the cluster was told, and did not answer")
                .isEqualTo(1);
        assertThat(one.log.count(ClusterMessages.DEACTIVATION_FAILED)).isZero();
        assertThat(one.stats.value(ClusterStats.TRANSITIONS, "isolated")).isZero();
        until(() -> two.node.now().binding(name) == null);
    }

    @Test
    void anExposedServiceIsDeactivatedWithoutWaitingUntilItsNameHasGone() {
        activate("plain", Plain.class, Map.of("exposed-as", "greetings/plain"));
        pausedWhileNamesAreNotDecided("plain", "greetings/plain");
    }

    @Test
    void anUnbindInDeactivateIsAnsweredAtOnce() {
        activate("seed", MySingletonServiceClass.class, Map.of());
        pausedWhileNamesAreNotDecided("seed", "MySingletonServiceClass");
    }

    @Test
    void whatIsUnboundWhileItsServiceEndsIsOfferedHereNoMoreWhateverTheTreeSays() throws Exception {
        activate("plain", Plain.class, Map.of("exposed-as", "greetings/plain"));
        log.swallow("one", NamingCommand.class::isInstance);
        Activation a = Objects.requireNonNull(Plain.LAST.get());
        LossForTests.of(a);
        assertThat(one.naming.standing("greetings/plain")).isInstanceOf(Owners.Here.class);
        one.naming.binder().unbind("greetings/plain");
        assertThat(one.node.now().binding("greetings/plain")).isNotNull();
        assertThat(one.naming.standing("greetings/plain")).isInstanceOf(Owners.Nowhere.class);
    }

    /** As {@code NamingException}s go that the code inside an activation gets. */
    private static Throwable within(Activation a, Body body) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        a.run(() -> {
            try {
                body.run();
                thrown.complete(new AssertionError("nothing was thrown"));
            } catch (NamingException | IOException e) {
                thrown.complete(e);
            }
        });
        return thrown.join();
    }

    /** Something that a service does. */
    private interface Body {
        void run() throws NamingException, IOException;
    }

    @Test
    void whatLosesItsLeaseBindsNothingMore() {
        activate("plain", Plain.class, Map.of());
        Activation a = Objects.requireNonNull(Plain.LAST.get());
        LossForTests.of(a);
        assertThat(within(a, () -> one.naming.binder().bind("mine", new Plain(), false)))
                .isInstanceOf(ServiceUnavailableException.class)
                .hasMessageContaining("singleton/plain");
        assertThat(one.node.now().binding("mine")).isNull();
    }

    /** It waits for nobody knows what; the loss ends that. */
    @Test
    void whatWaitsForTheClusterIsGivenUpWhenTheLeaseIsOver() throws Exception {
        TestLoop loop = new TestLoop();
        Activation a =
                new Activation(SingletonSpec.of("s", "C"), HeldForTests.of(loop, "singleton/s", new Fence(1, 5)));
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(BlockingProposer.within(CompletableFuture.completedFuture("there"), 0, a))
                .isEqualTo("there");
        CompletableFuture<Throwable> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return new AssertionError(BlockingProposer.within(new CompletableFuture<>(), hour, a));
            } catch (Exception e) {
                return e;
            }
        });
        loop.freeze(Duration.ofSeconds(9));
        LossForTests.of(a);
        assertThat(waits.get(60, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> BlockingProposer.within(new CompletableFuture<>(), hour, a))
                .isInstanceOf(TimeoutException.class);
        assertThat(BlockingProposer.within(CompletableFuture.completedFuture("there"), 0, a))
                .isEqualTo("there");
    }

    /** What an activation finds under a name. */
    private Object found(Activation by, String name) {
        CompletableFuture<Object> found = new CompletableFuture<>();
        by.run(() -> {
            try {
                found.complete(Objects.requireNonNull(one.naming.object(name)));
            } catch (NamingException e) {
                found.completeExceptionally(e);
            }
        });
        return found.join();
    }

    @Test
    void aCheckpointInAServiceThatLosesItsLeaseIsNotWaitedForBeyondIt() {
        activate("plain", Plain.class, Map.of());
        Activation a = Objects.requireNonNull(Plain.LAST.get());
        Checkpoints checkpoints = (Checkpoints) found(a, Checkpoints.NAME);
        log.swallow("one", CheckpointCommand.class::isInstance);
        CompletableFuture<Throwable> put =
                CompletableFuture.supplyAsync(() -> within(a, () -> checkpoints.put("last", "one")));
        until(() -> log.swallowings() == 1);
        var _ = two.node.proposer().propose(new SingletonCommand.Pause("plain", "a test"));
        LossForTests.of(a);
        until(() -> !a.valid());
        assertThat(put.orTimeout(60, TimeUnit.SECONDS).join()).isInstanceOf(IOException.class);
    }

    @Test
    void aServiceAsksHowLongItsLeaseLasts() throws Exception {
        activate("plain", Plain.class, Map.of());
        Activation a = Objects.requireNonNull(Plain.LAST.get());
        ServiceLease lease = (ServiceLease) found(a, ServiceLease.NAME);
        assertThat(lease.fence()).isEqualTo(a.fence());
        assertThat(lease.held()).isTrue();
        assertThat(lease.remaining()).isPositive().isLessThan(Duration.ofSeconds(60));
        CompletableFuture<String> heard = new CompletableFuture<>();
        lease.whenLost(() -> heard.complete("lost"));
        var _ = two.node.proposer().propose(new SingletonCommand.Migrate("plain", "two", "a test"));
        until(() -> two.stats.value(ClusterStats.TRANSITIONS, "activated") == 1);
        assertThat(lease.held()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(heard).as("a move is no loss").isNotDone();
        assertThatThrownBy(() -> one.naming.object(ServiceLease.NAME))
                .isInstanceOf(OperationNotSupportedException.class)
                .hasMessageContaining("singleton services only");
    }

    @Test
    void aServiceHearsOfTheLossOfItsLease() {
        activate("plain", Plain.class, Map.of());
        Activation a = Objects.requireNonNull(Plain.LAST.get());
        CompletableFuture<String> heard = new CompletableFuture<>();
        a.whenLost(() ->
                heard.complete(Objects.requireNonNull(Activation.current()).service()));
        // its row goes without its doing: an operator takes the member out
        var _ = two.node
                .proposer()
                .propose(new io.weir.cluster.state.leases.LeaseCommand.Release(a.lease(), a.fence()));
        assertThat(heard.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("plain");
    }
}
