package io.weir.cluster.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.cluster.Checkpoints;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvokeStats;
import io.weir.wire.invoke.caller.Invoker;
import io.weir.wire.invoke.caller.ProxyOptions;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.NoPermissionException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** JNDI in the server, over two members: what a service binds, and who reaches it. */
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what is tested, and it demands a Hashtable
final class ClusterNamingTest {
    private static final String NAME = "MySingletonServiceClass";

    private final SharedLog log = new SharedLog();
    private final NamingMember one = new NamingMember("one", 2, log);
    private final NamingMember two = new NamingMember("two", 2, log);

    @AfterEach
    void close() {
        two.close();
        one.close();
        assertThat(System.getProperty(Context.INITIAL_CONTEXT_FACTORY))
                .as("gone with the last member")
                .isNull();
    }

    private static void until(BooleanSupplier condition) {
        for (int i = 0; i < 2000; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        throw new AssertionError("it did not come to pass");
    }

    private static Context context(NamingMember member) throws NamingException {
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(ServerContextFactory.MEMBER, member.name);
        return new InitialContext(environment);
    }

    private void activate(String name, Class<?> type, Map<String, String> properties) {
        SingletonSpec spec =
                SingletonSpec.of(name, type.getName()).preferring("one").with(properties);
        assertThat(one.node
                        .define(List.of(spec))
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join())
                .isEmpty();
        activeOn(name, one);
    }

    private void activeOn(String name, NamingMember member) {
        until(() -> {
            SingletonState s = member.node.now().singleton(name);
            return s != null && s.phase() == Phase.ACTIVE && member.name.equals(s.member());
        });
    }

    private static MySingletonServiceInterface seeds(NamingMember from) throws NamingException {
        return (MySingletonServiceInterface) context(from).lookup(NAME);
    }

    @Test
    void theSeedsFiveAndEightAreThirteenFromEveryMember() throws Exception {
        activate("seed", MySingletonServiceClass.class, Map.of());
        MySingletonServiceInterface near = seeds(one);
        MySingletonServiceInterface far = seeds(two);
        assertThat(near).isNotInstanceOf(MySingletonServiceClass.class);
        assertThat(far.getMyValue()).isEqualTo(5);
        far.setMyValue(far.getMyValue() + 8);
        assertThat(far.getMyValue()).isEqualTo(13);
        assertThat(near.getMyValue()).isEqualTo(13);
        assertThat(one.stats.value(InvokeStats.CALLS, "answered"))
                .as("the member's own calls stay in the process")
                .isEqualTo(4);
    }

    @Test
    void aProxyFollowsTheServiceToTheNextMember() throws Exception {
        activate("seed", MySingletonServiceClass.class, Map.of());
        MySingletonServiceInterface far = seeds(two);
        far.setMyValue(13);
        one.leave();
        activeOn("seed", two);
        assertThat(far.getMyValue()).as("another object").isEqualTo(5);
        assertThat(seeds(one).getMyValue()).isEqualTo(5);
        assertThat(one.naming.exports().size()).isZero();
    }

    @Test
    void aClientReachesTheServiceByAnyMember() throws Exception {
        activate("seed", MySingletonServiceClass.class, Map.of());
        Credentials anna = new Credentials("anna", "secret");
        try (Invoker invoker =
                new Invoker(() -> anna, ClientOptions.DEFAULT, Invoker.Limits.DEFAULT, SystemClock.INSTANCE)) {
            MySingletonServiceInterface client = (MySingletonServiceInterface) invoker.proxy(
                    NAME,
                    MySingletonServiceInterface.class.getClassLoader(),
                    List.of(MySingletonServiceInterface.class),
                    invoker.overTheWire(List.of(two.address())),
                    null,
                    ProxyOptions.DEFAULT.withOwnerWait(Duration.ofSeconds(10)));
            client.setMyValue(client.getMyValue() + 8);
            assertThat(client.getMyValue()).isEqualTo(13);
            one.leave();
            assertThat(client.getMyValue()).isEqualTo(5);
        }
    }

    @Test
    void whatAFormerActivationBindsIsRefused() throws Exception {
        activate("plain", Plain.class, Map.of());
        Activation former = Objects.requireNonNull(Plain.LAST.get());
        one.leave();
        activeOn("plain", two);
        AtomicReference<@Nullable Exception> told = new AtomicReference<>();
        former.run(() -> {
            try {
                context(one).bind("mine", new Plain());
            } catch (NamingException e) {
                told.set(e);
            }
        });
        assertThat(told.get()).isInstanceOf(NoPermissionException.class).hasMessageContaining("singleton/plain");
        assertThat(two.node.now().binding("mine")).isNull();
        assertThat(one.naming.exports().size()).isZero();
    }

    /** A thread that it left behind is in no activation; the member, which lives on, would be let in. */
    @Test
    void whatAFormerServiceBindsOfItselfIsRefused() throws Exception {
        activate("plain", Plain.class, Map.of());
        Object former = one.node.services().named("plain").orElseThrow().instance();
        var _ = one.node.proposer().propose(new SingletonCommand.Migrate("plain", "two", "a test"));
        activeOn("plain", two);
        assertThatThrownBy(() -> context(one).bind("mine", former))
                .isInstanceOf(NoPermissionException.class)
                .hasMessageContaining("singleton/plain");
        assertThat(two.node.now().binding("mine")).isNull();
        context(one).bind("mine", new Plain());
        until(() -> two.node.now().binding("mine") != null);
    }

    private static Checkpoints checkpoints(NamingMember member, Activation as) {
        AtomicReference<@Nullable Checkpoints> found = new AtomicReference<>();
        as.run(() -> {
            try {
                found.set((Checkpoints) context(member).lookup(Checkpoints.NAME));
            } catch (NamingException e) {
                throw new IllegalStateException(e);
            }
        });
        return Objects.requireNonNull(found.get());
    }

    @Test
    void whatAnActivationRemembersIsThereForTheNextAndTheFormerWritesNoMore() throws Exception {
        activate("plain", Plain.class, Map.of());
        Checkpoints first = checkpoints(one, Objects.requireNonNull(Plain.LAST.get()));
        first.put("last", "one");
        first.put("gone", "soon");
        first.remove("gone");
        assertThat(first.all()).containsExactly(Map.entry("last", "one"));
        var _ = one.node.proposer().propose(new SingletonCommand.Migrate("plain", "two", "a test"));
        activeOn("plain", two);
        Checkpoints second = checkpoints(two, Objects.requireNonNull(Plain.LAST.get()));
        assertThat(second.get("last")).isEqualTo("one");
        second.put("last", "two");
        assertThatThrownBy(() -> first.put("last", "late"))
                .isInstanceOf(Checkpoints.FormerActivationException.class)
                .hasMessageContaining("singleton/plain");
        assertThatThrownBy(() -> first.remove("last")).isInstanceOf(Checkpoints.FormerActivationException.class);
        assertThat(two.node.now().checkpoint("plain", "last")).isEqualTo("two");
        assertThatThrownBy(() -> second.put("long", "x".repeat(Checkpoints.LONGEST + 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checkpoint long");
    }

    @Test
    void checkpointsAreOfNobodyButAService() {
        assertThatThrownBy(() -> context(one).lookup(Checkpoints.NAME))
                .isInstanceOf(OperationNotSupportedException.class)
                .hasMessageContaining("singleton services only");
    }

    @Test
    void whereAnExposedServiceCameFromIsToldWhenItServesNoMore() throws Exception {
        AtomicReference<@Nullable Object> closed = new AtomicReference<>();
        Plain plain = new Plain();
        Exposing exposing = new Exposing(
                new ServiceSource() {
                    @Override
                    public ServiceObject create(SingletonSpec spec) {
                        return new ServiceObject(plain, plain);
                    }

                    @Override
                    public void closed(ServiceObject object) {
                        closed.set(object.instance());
                    }
                },
                one.naming);
        exposing.closed(exposing.create(SingletonSpec.of("p", "C").with(Map.of(Exposing.NAME, "p"))));
        assertThat(closed.get()).isSameAs(plain);
    }

    @Test
    void aServiceIsExposedByItsPropertiesAndCalledInItsOwnName() throws Exception {
        activate("plain", Plain.class, Map.of("exposed-as", "greetings/plain", "call-role", "members"));
        Greeting far = (Greeting) context(two).lookup("greetings/plain");
        assertThat(far.greet("you")).isEqualTo("hello you from plain");
        Binding b = two.node.now().binding("greetings/plain");
        assertThat(b).isNotNull().extracting(Binding::lease).isEqualTo("singleton/plain");
        Credentials anna = new Credentials("anna", "secret");
        try (Invoker invoker =
                new Invoker(() -> anna, ClientOptions.DEFAULT, Invoker.Limits.DEFAULT, SystemClock.INSTANCE)) {
            Greeting client = (Greeting) invoker.proxy(
                    "greetings/plain",
                    Plain.class.getClassLoader(),
                    List.of(Greeting.class),
                    invoker.overTheWire(List.of(two.address())),
                    null,
                    ProxyOptions.DEFAULT);
            assertThatThrownBy(() -> client.greet("me"))
                    .isInstanceOf(InvocationFault.class)
                    .hasMessageContaining("anna is not in the group members");
        }
        one.leave();
        activeOn("plain", two);
        assertThat(far.greet("you")).isEqualTo("hello you from plain");
    }

    @Test
    void aMemberBindsTextsAndServicesOfItsOwn() throws Exception {
        Context ctx = context(one);
        ctx.bind("config/motd", "hello");
        ctx.bind("config/deep/greeting", new Plain());
        assertThat(context(two).lookup("config/motd")).isEqualTo("hello");
        assertThatThrownBy(() -> context(two).bind("config/motd", "again"))
                .isInstanceOf(NameAlreadyBoundException.class)
                .hasMessageContaining("member/one");
        context(two).rebind("config/motd", "changed");
        assertThat(ctx.lookup("config/motd")).isEqualTo("changed");
        Context config = (Context) ctx.lookup("config");
        List<String> names = new ArrayList<>();
        for (NamingEnumeration<NameClassPair> all = config.list(""); all.hasMore(); ) {
            names.add(all.next().getName());
        }
        assertThat(names).containsExactly("deep", "motd");
        assertThat(((Greeting) config.lookup("deep/greeting")).greet("you")).isEqualTo("hello you from nobody");
        ctx.unbind("config/deep/greeting");
        ctx.unbind("config/deep/greeting");
        assertThatThrownBy(() -> ctx.lookup("config/deep/greeting")).isInstanceOf(NameNotFoundException.class);
        assertThat(one.naming.exports().size()).isZero();
    }

    interface Unfit extends Remote {
        Object anything() throws RemoteException;
    }

    @Test
    void anObjectWhoseInterfaceCannotBeCarriedIsRefusedAtTheBind() throws Exception {
        Context ctx = context(one);
        Unfit unfit = () -> "x";
        assertThatThrownBy(() -> ctx.bind("unfit", unfit))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("unfit cannot be bound")
                .hasMessageContaining("anything: result: java.lang.Object is not a type that calls support");
        assertThatThrownBy(() -> ctx.bind("none", new Object()))
                .hasMessageContaining("implements no interface of its own");
        assertThatThrownBy(() -> ctx.bind("null", null)).hasMessageContaining("null");
        assertThatThrownBy(() -> ctx.bind("a//b", "text")).isInstanceOf(NamingException.class);
        assertThat(one.node.now().bindings()).isEmpty();
        assertThat(one.naming.exports().size()).isZero();
    }

    @Test
    void namesOfOthersAreFoundBesideTheTree() throws Exception {
        assertThat(context(one).lookup("other/name")).isEqualTo("of somebody else");
        assertThatThrownBy(() -> context(one).lookup("nothing")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void inAProcessWithSeveralMembersAThreadOfNoneHasToSayWhich() {
        assertThatThrownBy(() -> new InitialContext().lookup("x"))
                .isInstanceOf(NoInitialContextException.class)
                .hasMessageContaining("several members");
    }

    @Test
    void aBindingGoesWithItsLease() throws Exception {
        activate("seed", MySingletonServiceClass.class, Map.of());
        assertThat(two.node.now().binding(NAME)).isNotNull();
        Answer paused = one.node
                .proposer()
                .propose(new SingletonCommand.Pause("seed", "test"))
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        assertThat(paused.accepted()).isTrue();
        until(() -> two.node.now().binding(NAME) == null);
        assertThatThrownBy(() -> seeds(two)).isInstanceOf(NameNotFoundException.class);
        until(() -> one.naming.exports().size() == 0);
    }
}
