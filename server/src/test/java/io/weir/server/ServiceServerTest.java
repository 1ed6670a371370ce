package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.kernel.listen.Listener;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.FileRealm;
import io.weir.server.users.QuickRealm;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Singletons of the assembled server, called by clients and from inside. */
@Tag("slow")
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what applications use, and it demands a Hashtable
final class ServiceServerTest {
    private @Nullable Server server;

    @TempDir
    private Path dir = Path.of("");

    private Server start(String... sets) throws StartFailure {
        List<String> all = new ArrayList<>(List.of(
                "listeners.http.port=0",
                "listeners.messaging.port=0",
                "admin.enabled=off",
                "server.data-dir=" + dir,
                "singletons.seed.class-name=" + SeedSingleton.class.getName()));
        all.addAll(List.of(sets));
        LoadedConfig loaded = new ConfigLoader(null, all, null).load();
        assertThat(loaded.problems()).isEmpty();
        Server started = Server.start(new ServerParts(
                loaded,
                dir.toAbsolutePath(),
                SystemClock.INSTANCE,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                "test"));
        server = started;
        return started;
    }

    @AfterEach
    void stop() {
        Server s = server;
        if (s != null) {
            s.stop();
        }
    }

    private static Context client(Server of, String... login) throws NamingException {
        Listener l = of.listeners().stream()
                .filter(x -> x.name().equals("messaging"))
                .findFirst()
                .orElseThrow();
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        environment.put(Context.PROVIDER_URL, "weir://127.0.0.1:" + l.address().getPort());
        if (login.length > 0) {
            environment.put(Context.SECURITY_PRINCIPAL, login[0]);
            environment.put(Context.SECURITY_CREDENTIALS, login[1]);
        }
        return new InitialContext(environment);
    }

    /** What is bound, once it is. */
    private static Object bound(Context context, String name) throws NamingException {
        for (int i = 0; i < 2000; i++) {
            try {
                return context.lookup(name);
            } catch (NameNotFoundException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
        throw new AssertionError(name + " was not bound");
    }

    @Test
    void theSeedsNumberIsChangedByAClientAndSeenInside() throws Exception {
        Server s = start();
        SeedNumber number = (SeedNumber) bound(client(s), SeedSingleton.NAME);
        assertThat(number.getMyValue()).isEqualTo(5);
        number.setMyValue(number.getMyValue() + 8);
        assertThat(number.getMyValue()).isEqualTo(13);
        SeedNumber inside = (SeedNumber) new InitialContext().lookup(SeedSingleton.NAME);
        assertThat(inside.getMyValue()).isEqualTo(13);
        assertThat(inside).isNotInstanceOf(SeedSingleton.class);
        assertThat(client(s).lookup("queue/demo"))
                .as("messaging's names are there as before")
                .isNotNull();
    }

    @Test
    void aSingletonSendsAMessageThroughTheServersOwnNames() throws Exception {
        QuickRealm.of(dir).set("anna", "secret".toCharArray(), List.of());
        Server s = start(
                "singletons.sender.class-name=" + SendingSingleton.class.getName(),
                "messaging.queues.demo.access.send=[servers]",
                "messaging.queues.demo.access.receive=[anna]");
        Context outside = client(s, "anna", "secret");
        ConnectionFactory factory = (ConnectionFactory) outside.lookup("jms/default");
        try (JMSContext session = factory.createContext("anna", "secret")) {
            assertThat(session.createConsumer((Queue) outside.lookup("queue/demo"))
                            .receiveBody(String.class, 20_000))
                    .as("guests may not send there, what runs in the server may")
                    .matches("activated with 1\\.\\d+");
            assertThatThrownBy(() -> factory.createContext("server:weir", "guessed"))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
        assertThatThrownBy(() -> new InitialContext().lookup("jms/none")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void aSingletonIsExposedAndCalledByItsGroupOnly() throws Exception {
        FileRealm realm = QuickRealm.of(dir);
        realm.set("anna", "secret".toCharArray(), List.of("staff"));
        realm.set("bert", "secret".toCharArray(), List.of());
        Server s = start("singletons.seed.exposed-as=numbers/seed", "singletons.seed.call-role=staff");
        SeedNumber annas = (SeedNumber) bound(client(s, "anna", "secret"), "numbers/seed");
        assertThat(annas.getMyValue()).isEqualTo(5);
        SeedNumber berts = (SeedNumber) bound(client(s, "bert", "secret"), "numbers/seed");
        assertThatThrownBy(berts::getMyValue)
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("bert is not in the group staff");
    }

    @Test
    void jndiInTheProcessEndsWithTheServer() throws Exception {
        Server s = start();
        bound(client(s), SeedSingleton.NAME);
        s.stop();
        server = null;
        assertThat(System.getProperty(Context.INITIAL_CONTEXT_FACTORY)).isNull();
    }
}
