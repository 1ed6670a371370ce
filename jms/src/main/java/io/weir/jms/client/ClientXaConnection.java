package io.weir.jms.client;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.settings.Domain;
import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;

/** A connection whose sessions can take part in XA transactions, beside ordinary ones. */
public final class ClientXaConnection extends ClientConnection implements XAQueueConnection, XATopicConnection {
    private ClientXaConnection(Target target, Domain domain, Clock clock) {
        super(target, domain, clock);
    }

    /** Connects and logs in; throws a JMSSecurityException if the server rejects user and password. */
    public static ClientXaConnection open(Target target, Domain domain) throws JMSException {
        ClientXaConnection connection = new ClientXaConnection(target, domain, SystemClock.INSTANCE);
        connection.connect();
        return connection;
    }

    @Override
    public XASession createXASession() throws JMSException {
        return branchSession(Domain.UNIFIED);
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return branchSession(Domain.QUEUES);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return branchSession(Domain.TOPICS);
    }

    /** Opens a session for a context. */
    public ClientXaSession session() throws JMSException {
        return branchSession(Domain.UNIFIED);
    }
}
