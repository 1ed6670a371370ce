package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.jms.WeirContextFactory;
import io.weir.server.users.FileRealm;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may connect, and what is looked up; sections 5.1 and 6.1 of the specification. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class LoginRulesTest {
    private @Nullable MessagingServer started;

    /** Once for the class: a password's hash is slow on purpose. */
    @BeforeAll
    void start(@TempDir Path home) throws Exception {
        Path data = Files.createDirectories(home.resolve("data"));
        new FileRealm(data).set("ann", "secret".toCharArray(), List.of("users"));
        started = MessagingServer.start(home, "admin.enabled=on", "admin.port=0");
    }

    @AfterAll
    void stop() {
        server().close();
    }

    private MessagingServer server() {
        return Objects.requireNonNull(started);
    }

    @Test
    void connectionsAndContextsAreMadeWithUserAndPassword() throws Exception {
        try (Connection c = server().factory().createConnection("ann", "secret");
                JMSContext x = server().factory().createContext("ann", "secret");
                JMSContext y = server().factory().createContext("ann", "secret", JMSContext.SESSION_TRANSACTED);
                Connection named =
                        server().factory("user=ann", "password=secret").createConnection()) {
            assertThat(c.createSession().getTransacted()).isFalse();
            assertThat(x.getTransacted()).isFalse();
            assertThat(y.getTransacted()).isTrue();
            assertThat(named.createSession()).isNotNull();
        }
    }

    @Test
    void whoIsNotKnownIsRefused() {
        ConnectionFactory factory = server().factory();
        assertThatExceptionOfType(JMSSecurityException.class)
                .isThrownBy(() -> factory.createConnection("ann", "wrong"));
        assertThatExceptionOfType(JMSSecurityException.class).isThrownBy(factory::createConnection);
        assertThatExceptionOfType(JMSSecurityRuntimeException.class).isThrownBy(factory::createContext);
    }

    @Test
    @SuppressWarnings("BanJNDI") // what the test is about
    void whatIsLookedUpHoldsNothingAtTheServerUntilItIsUsed() throws Exception {
        Properties environment = new Properties();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, WeirContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, server().url());
        environment.put(Context.SECURITY_PRINCIPAL, "ann");
        environment.put(Context.SECURITY_CREDENTIALS, "secret");
        Context names = new InitialContext(environment);
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            found.add(names.lookup("jms/default"));
            found.add(names.lookup("queue/q"));
            found.add(names.lookup("topic/t"));
        }
        Await.until("no connection is left", () -> server().counter("weir_wire_connections", "") == 0);
        assertThat(server().counter("weir_jms_sessions_open", "")).isZero();
        assertThat(found).hasSize(60);
        ConnectionFactory factory = (ConnectionFactory) found.getFirst();
        try (Connection c = factory.createConnection("ann", "secret")) {
            assertThat(c.createSession().createConsumer((Queue) found.get(1))).isNotNull();
            assertThat(server().counter("weir_wire_connections", "")).isEqualTo(1);
        }
    }

    @Test
    void whatIsLookedUpCanBeBoundElsewhereAndUsed() throws Exception {
        Reference factory = server().factory("messages-maximum=7", "user=ann").getReference();
        ConnectionFactory again = (ConnectionFactory) NamingManager.getObjectInstance(factory, null, null, null);
        try (Connection c = again.createConnection("ann", "secret")) {
            Object q = c.createSession().createQueue("q");
            assertThat(NamingManager.getObjectInstance(((Referenceable) q).getReference(), null, null, null))
                    .isEqualTo(q);
        }
    }
}
