package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.jms.WeirContextFactory;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.dispatch.Access;
import io.weir.wire.invoke.dispatch.Dispatcher;
import io.weir.wire.invoke.dispatch.Owners;
import io.weir.wire.naming.NamingEntry;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.Binding;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application does with a name that a service of the cluster bound: the bean of the article on the Singleton Service. */
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what is tested, and it demands a Hashtable
class ServiceLookupTest {
    private static final String NAME = "MySingletonServiceClass";
    private static final Fence FENCE = new Fence(1, 4);

    public interface MySingletonServiceInterface extends Remote {
        void setMyValue(int value) throws RemoteException;

        int getMyValue() throws RemoteException;
    }

    private static final class Value implements MySingletonServiceInterface {
        private volatile boolean slow;
        private int value = 5;

        @Override
        public synchronized void setMyValue(int v) {
            value = v;
        }

        @Override
        public synchronized int getMyValue() {
            if (slow) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            return value;
        }
    }

    private final Value value = new Value();
    private final FakeBroker broker = new FakeBroker();
    private final InterfaceDescription described = InterfaceDescription.of(MySingletonServiceInterface.class);
    private final Export export = new Export(value, List.of(described), FENCE, () -> true, null, Runnable::run);
    private final Owners owners = service -> service.equals(NAME) ? new Owners.Here(export) : new Owners.Nowhere();
    private final Dispatcher dispatcher = new Dispatcher(
            Dispatcher.Limits.DEFAULT,
            new Dispatcher.Parts(owners, Access.named("guest"), SystemClock.INSTANCE, new Stats(), Log.NONE));

    ServiceLookupTest() {
        broker.calls = dispatcher.route().service();
        offer(Map.of(described.name(), described.hash()));
    }

    private void offer(Map<String, Long> interfaces) {
        broker.names.put(
                NAME,
                ServiceReference.unaddressed(NAME, FENCE, "one", interfaces).entry());
    }

    @AfterEach
    void close() {
        dispatcher.close();
        broker.close();
    }

    private Context context(String... more) throws NamingException {
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, WeirContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, broker.url());
        environment.put(Context.SECURITY_PRINCIPAL, "anna");
        environment.put(Context.SECURITY_CREDENTIALS, "secret");
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return new InitialContext(environment);
    }

    /** WebLogic's bean: adds to the service's value and tells what it is then. */
    private int addInternalValue(int myInt) throws NamingException, RemoteException {
        Context ctx = context();
        MySingletonServiceInterface mssc = (MySingletonServiceInterface) ctx.lookup(NAME);
        mssc.setMyValue(mssc.getMyValue() + myInt);
        return mssc.getMyValue();
    }

    @Test
    void fiveAndEightAreThirteenThroughALookUp() throws Exception {
        assertThat(addInternalValue(8)).isEqualTo(13);
        assertThat(((MySingletonServiceInterface) context().lookup(NAME)).getMyValue())
                .as("another look-up reaches the same object")
                .isEqualTo(13);
    }

    @Test
    void anInterfaceThatIsMissingOrOfAnotherShapeIsNamed() throws NamingException {
        Context ctx = context("io.weir.naming.interfaces", "*");
        String noInterface = Value.class.getName();
        offer(Map.of("com.example.Unknown", 1L, described.name(), described.hash() + 1, noInterface, 2L));
        assertThatThrownBy(() -> ctx.lookup(NAME))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("com.example.Unknown is not on the class path")
                .hasMessageContaining("differs from the owner's")
                .hasMessageContaining(noInterface + " is not an interface");
    }

    /** Loaded by its name only, so that this class does not name it. */
    private static InterfaceDescription unmentioned() throws ClassNotFoundException {
        return InterfaceDescription.of(Class.forName("io.weir.jms.client.Unmentioned"));
    }

    @Test
    void aServersWordLoadsNoClass() throws Exception {
        Context ctx = context();
        InterfaceDescription there = unmentioned();
        offer(Map.of(there.name(), there.hash(), "java.lang.Runnable", 1L));
        assertThatThrownBy(() -> ctx.lookup(NAME))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining(there.name() + " is not named by the code that looks it up")
                .hasMessageContaining("java.lang.Runnable is a platform type");
    }

    @Test
    void anInterfaceThatNobodyOnTheWayNamesIsUsedWhereTheApplicationListsIt() throws Exception {
        Context ctx = context("io.weir.naming.interfaces", "com.example.*, io.weir.jms.client.Unmentioned");
        InterfaceDescription there = unmentioned();
        offer(Map.of(there.name(), there.hash(), described.name(), described.hash()));
        assertThat(ctx.lookup(NAME).getClass().getInterfaces())
                .extracting(Class::getName)
                .containsExactly(there.name());
    }

    @Test
    void aCastFartherUpTheStackAndOneInALambdaAreFoundToo() throws Exception {
        Context ctx = context();
        assertThat(Locator.<MySingletonServiceInterface>locate(ctx, NAME).getMyValue())
                .isEqualTo(5);
        Callable<Object> later = () -> ctx.lookup(NAME);
        assertThat(later.call()).isInstanceOf(MySingletonServiceInterface.class);
    }

    @Test
    void theApplicationMayBoundWhichInterfacesAServerNames() throws NamingException {
        Context none = context("io.weir.naming.interfaces", "com.example.*, org.example.One");
        assertThatThrownBy(() -> none.lookup(NAME)).hasMessageContaining("nor listed in io.weir.naming.interfaces");
        Context some = context("io.weir.naming.interfaces", "com.example.*, io.weir.jms.client.*");
        assertThat(some.lookup(NAME)).isInstanceOf(MySingletonServiceInterface.class);
    }

    @Test
    void aDeadlineThatIsNoneIsToldAtTheLookUp() throws NamingException {
        Context ctx = context("io.weir.invoke.deadline", "soon");
        assertThatThrownBy(() -> ctx.lookup(NAME)).isInstanceOf(ConfigurationException.class);
        Context wrong = context("io.weir.invoke.deadline.getMyValue", "later");
        assertThatThrownBy(() -> wrong.lookup(NAME)).hasMessageContaining("getMyValue");
    }

    @Test
    void aMethodMayHaveADeadlineOfItsOwn() throws Exception {
        Context ctx = context("io.weir.invoke.deadline.getMyValue", "1ms", "io.weir.invoke.deadline", "20s");
        MySingletonServiceInterface mssc = (MySingletonServiceInterface) ctx.lookup(NAME);
        mssc.setMyValue(2);
        value.slow = true;
        assertThatThrownBy(mssc::getMyValue)
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("getMyValue")
                .hasMessageContaining("deadline");
        mssc.setMyValue(1);
    }

    @Test
    void servicesAndTextsAreListedWhateverTheApplicationHas() throws NamingException {
        offer(Map.of("com.example.Unknown", 1L));
        broker.names.put("motd", new NamingEntry("text", "motd", Map.of("value", "hello")));
        Context ctx = context();
        assertThat(ctx.lookup("motd")).isEqualTo("hello");
        NamingEnumeration<Binding> all = ctx.listBindings("");
        assertThat(all.next().getObject()).isInstanceOf(ServiceReference.class);
        assertThat(all.next().getObject()).isEqualTo("hello");
        assertThat(all.hasMore()).isFalse();
    }
}
