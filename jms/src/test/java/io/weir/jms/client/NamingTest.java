package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirContextFactory;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import io.weir.wire.naming.NamingEntry;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.AuthenticationException;
import javax.naming.Binding;
import javax.naming.CommunicationException;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JNDI: what the server's configuration names, looked up and listed. */
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what is tested, and it demands a Hashtable
class NamingTest {
    private final FakeBroker broker = new FakeBroker();

    @BeforeEach
    void bind() {
        name("connection-factory", "jms/fast", Map.of("messages-maximum", "300", "unknown-to-this-client", "1"));
        name("queue", "queue/demo", Map.of("name", "demo"));
        name("queue", "queue/deep/er", Map.of());
        name("topic", "com.example.News", Map.of("name", "news"));
    }

    private void name(String kind, String name, Map<String, String> attributes) {
        broker.names.put(name, new NamingEntry(kind, name, attributes));
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Hashtable<String, Object> environment() {
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, WeirContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, broker.url());
        return environment;
    }

    private Context context() throws NamingException {
        return new InitialContext(environment());
    }

    private static List<String> names(NamingEnumeration<? extends NameClassPair> listing) throws NamingException {
        List<String> names = new ArrayList<>();
        while (listing.hasMore()) {
            names.add(listing.next().getName());
        }
        return names;
    }

    @Test
    void factoriesAndDestinationsAreLookedUp() throws Exception {
        Context c = context();
        assertThat(c.lookup("queue/demo")).isEqualTo(new WeirQueue("demo"));
        assertThat(c.lookup("com.example.News")).isEqualTo(new WeirTopic("news"));
        assertThat(c.lookup("queue/deep/er")).isEqualTo(new WeirQueue("deep/er"));
        WeirConnectionFactory factory = (WeirConnectionFactory) c.lookup("jms/fast");
        assertThat(factory.knobs().messagesMaximum()).isEqualTo(300);
        assertThat(factory.getUrl()).isEqualTo(broker.url());
        try (JMSContext context = ((ConnectionFactory) factory).createContext()) {
            context.createProducer().send(new WeirQueue("demo"), "works");
        }
        c.close();
    }

    @Test
    void theContextsUserConnects() throws Exception {
        Hashtable<String, Object> environment = environment();
        environment.put(Context.SECURITY_PRINCIPAL, "anna");
        environment.put(Context.SECURITY_CREDENTIALS, "secret");
        WeirConnectionFactory factory = (WeirConnectionFactory) new InitialContext(environment).lookup("jms/fast");
        assertThat(factory.getUser()).isEqualTo("anna");
        factory.createConnection().close();
        environment.put(Context.SECURITY_CREDENTIALS, "wrong");
        assertThatThrownBy(() -> new InitialContext(environment).lookup("jms/fast"))
                .isInstanceOf(AuthenticationException.class);
    }

    @Test
    void namesAreListedLevelByLevel() throws Exception {
        Context c = context();
        assertThat(names(c.list(""))).containsExactly("com.example.News", "jms", "queue");
        assertThat(names(c.list("queue"))).containsExactly("deep", "demo");
        NamingEnumeration<Binding> bindings = c.listBindings("queue/deep");
        assertThat(bindings.next().getObject()).isEqualTo(new WeirQueue("deep/er"));
        Context queues = (Context) c.lookup("queue");
        assertThat(queues.lookup("demo")).isEqualTo(new WeirQueue("demo"));
        assertThatThrownBy(() -> c.list("queue/demo")).isInstanceOf(NotContextException.class);
        assertThatThrownBy(() -> c.list("nothing")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void aNameThatIsNotThereIsNotFound() throws Exception {
        assertThatThrownBy(() -> context().lookup("queue/none"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("queue/none");
    }

    @Test
    void nothingIsBoundFromOutside() throws Exception {
        assertThatThrownBy(() -> context().bind("queue/new", new WeirQueue("new")))
                .isInstanceOf(OperationNotSupportedException.class);
    }

    @Test
    void aWrongUrlAndASilentServerAreTold() {
        Hashtable<String, Object> environment = environment();
        environment.put(Context.PROVIDER_URL, "http://here");
        assertThatThrownBy(() -> new InitialContext(environment)).isInstanceOf(ConfigurationException.class);
        broker.stopListening();
        assertThatThrownBy(() -> context().lookup("queue/demo")).isInstanceOf(CommunicationException.class);
    }

    @Test
    void aFactoryCanBeKeptInAnotherDirectory() throws Exception {
        WeirConnectionFactory factory = new WeirConnectionFactory(broker.url() + "?messages-maximum=42&user=anna");
        factory.setPassword("secret");
        Object again = NamingManager.getObjectInstance(factory.getReference(), null, null, null);
        assertThat(again).isInstanceOf(WeirConnectionFactory.class);
        WeirConnectionFactory copy = (WeirConnectionFactory) again;
        assertThat(copy.knobs()).isEqualTo(factory.knobs());
        assertThat(copy.getUrl()).isEqualTo(factory.getUrl());
        assertThat(copy.getUser()).isEqualTo("anna");
        assertThat(factory.getReference().toString()).doesNotContain("secret");
    }
}
