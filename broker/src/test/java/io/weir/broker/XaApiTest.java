package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.WeirObjectFactory;
import io.weir.jms.WeirXAConnectionFactory;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

/** The XA interfaces of Jakarta Messaging 3.1, chapters 11.3 and 12. */
class XaApiTest {
    private static final Xid ONE = Xa.xid(1);
    private static final long WAIT_MILLIS = 60_000;

    private static WeirXAConnectionFactory factory(RealBroker broker) {
        return new WeirXAConnectionFactory(broker.url());
    }

    @Test
    void queueAndTopicSessionsAndContextsTakePartInBranches() throws Exception {
        try (RealBroker broker = new RealBroker(null, "jms-server.allows-persistent-downgrade=on");
                XAQueueConnection queues = factory(broker).createXAQueueConnection();
                XATopicConnection topics = factory(broker).createXATopicConnection("u", "");
                XAJMSContext context = factory(broker).createXAContext()) {
            XAQueueSession sends = queues.createXAQueueSession();
            XATopicSession subscribes = topics.createXATopicSession();
            topics.start();
            MessageConsumer subscriber = subscribes
                    .getTopicSession()
                    .createSubscriber(subscribes.getSession().createTopic("t"));
            sends.getXAResource().start(ONE, XAResource.TMNOFLAGS);
            sends.getQueueSession().createSender(sends.createQueue("q")).send(sends.createTextMessage("to the queue"));
            sends.getXAResource().end(ONE, XAResource.TMSUCCESS);
            sends.getXAResource().commit(ONE, true);

            XAResource resource = context.getXAResource();
            resource.start(ONE, XAResource.TMNOFLAGS);
            try (JMSConsumer consumer = context.getContext().createConsumer(context.createQueue("q"))) {
                assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("to the queue");
            }
            context.createProducer().send(context.createTopic("t"), "to the topic");
            assertThat(subscriber.receiveNoWait()).isNull();
            assertThatThrownBy(context::commit).isInstanceOf(TransactionInProgressRuntimeException.class);
            assertThatThrownBy(context::recover).isInstanceOf(IllegalStateRuntimeException.class);
            assertThat(context.getTransacted()).isTrue();
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.SESSION_TRANSACTED);
            resource.end(ONE, XAResource.TMSUCCESS);
            assertThat(resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
            resource.commit(ONE, false);
            assertThat(subscriber.receive(WAIT_MILLIS)).isNotNull();
        }
    }

    @Test
    void ordinarySessionsAndContextsOfItsConnectionsTakePartInNone() throws Exception {
        try (RealBroker broker = new RealBroker(null, "jms-server.allows-persistent-downgrade=on");
                XAConnection connection = factory(broker).createXAConnection();
                XAJMSContext xa = factory(broker).createXAContext("u", "")) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            session.createProducer(session.createQueue("q")).send(session.createTextMessage("a"));
            session.commit();
            try (JMSContext context = xa.createContext(JMSContext.AUTO_ACKNOWLEDGE);
                    JMSConsumer consumer = context.createConsumer(context.createQueue("q"))) {
                assertThat(context).isNotInstanceOf(XAJMSContext.class);
                assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("a");
            }
        }
    }

    @Test
    void aReferenceOfItKeepsItsKind() throws Exception {
        WeirXAConnectionFactory factory = new WeirXAConnectionFactory("weir://127.0.0.1:7?messages-maximum=3");
        assertThat(new WeirObjectFactory().getObjectInstance(factory.getReference(), null, null, null))
                .isInstanceOfSatisfying(
                        WeirXAConnectionFactory.class,
                        f -> assertThat(f.knobs().messagesMaximum()).isEqualTo(3));
    }

    @Test
    void aResourceOfAClosedConnectionIsUnreachableAndSaysSo() throws Exception {
        try (RealBroker broker = new RealBroker(null, "jms-server.allows-persistent-downgrade=on")) {
            XAConnection connection = factory(broker).createXAConnection();
            XAResource resource = connection.createXASession().getXAResource();
            connection.close();
            assertThatThrownBy(() -> resource.commit(ONE, false))
                    .isInstanceOfSatisfying(
                            XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
        }
    }
}
