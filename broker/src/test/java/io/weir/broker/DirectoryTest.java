package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.broker.config.MessagingConfig;
import io.weir.jms.NamedObjects;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirXAConnectionFactory;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryTest {
    private static final Principal ANYBODY = new Principal("anybody", List.of());

    private static NamingEntry found(BrokerDirectory d, String name) {
        NamingEntry e = d.lookup(name, ANYBODY);
        if (e == null) {
            throw new AssertionError("no " + name);
        }
        return e;
    }

    @Test
    void destinationsAndFactoriesAreFoundByTheirNames() {
        Live<MessagingConfig> config = new Live<>(Bench.bind(List.of(
                "queues.q.jndi-name=",
                "topics.t.jndi-name=my/topic",
                "connection-factories.fast.client.messages-maximum=300")));
        BrokerDirectory d = new BrokerDirectory(config);
        assertThat(found(d, "queue/q").kind()).isEqualTo("queue");
        assertThat(found(d, "my/topic").attributes()).containsEntry("name", "t");
        assertThat(found(d, "jms/fast").attributes())
                .containsEntry("messages-maximum", "300")
                .containsEntry("send-timeout", "10");
        assertThat(d.list("jms/", ANYBODY)).hasSize(2);
        assertThat(d.lookup("queue/none", ANYBODY)).isNull();
        config.set(Bench.bind(List.of("queues.none.jndi-name=")));
        assertThat(d.lookup("queue/none", ANYBODY)).isNotNull();
    }

    @Test
    void theClientUnderstandsEveryAttributeOfAFactory() {
        BrokerDirectory d = new BrokerDirectory(new Live<>(Bench.bind(List.of())));
        assertThat(new WeirConnectionFactory(
                        "weir://localhost", found(d, "jms/default").attributes()))
                .isNotNull();
    }

    @Test
    void anXaFactoryIsLookedUpWhereTheConfigurationSaysSo() throws Exception {
        BrokerDirectory d = new BrokerDirectory(new Live<>(Bench.bind(List.of(
                "connection-factories.xa.transaction.xa-connection-factory-enabled=on",
                "connection-factories.xa.client.messages-maximum=7"))));
        Credentials guest = new Credentials(null, null);
        assertThat(NamedObjects.of(found(d, "jms/xa"), "weir://localhost", guest))
                .isInstanceOfSatisfying(
                        WeirXAConnectionFactory.class,
                        f -> assertThat(f.knobs().messagesMaximum()).isEqualTo(7));
        assertThat(NamedObjects.of(found(d, "jms/default"), "weir://localhost", guest))
                .isNotInstanceOf(WeirXAConnectionFactory.class);
    }
}
