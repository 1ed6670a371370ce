package io.weir.jms;

import io.weir.jms.client.ClientXaConnection;
import io.weir.jms.client.context.ClientXaContext;
import io.weir.jms.client.settings.Domain;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates connections and contexts whose sessions take part in the transactions of a transaction manager (XA), and, as a
 * {@link WeirConnectionFactory}, ordinary ones. URL and options are the same. Shared by any threads once configured.
 */
public class WeirXAConnectionFactory extends WeirConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private static final long serialVersionUID = 1;

    /** Creates a factory for {@link #DEFAULT_URL}; {@link #setUrl} changes it. */
    public WeirXAConnectionFactory() {}

    /** Creates a factory for a URL, with options in its query. */
    public WeirXAConnectionFactory(String url) {
        super(url);
    }

    /** The same with further options. */
    public WeirXAConnectionFactory(String url, Map<String, String> options) {
        super(url, options);
    }

    private ClientXaConnection open(@Nullable String name, @Nullable String secret, Domain domain) throws JMSException {
        return ClientXaConnection.open(target(name, secret), domain);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return ClientXaConnection.open(target(), Domain.UNIFIED);
    }

    @Override
    public XAConnection createXAConnection(@Nullable String userName, @Nullable String secret) throws JMSException {
        return open(userName, secret, Domain.UNIFIED);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return ClientXaConnection.open(target(), Domain.QUEUES);
    }

    @Override
    public XAQueueConnection createXAQueueConnection(@Nullable String userName, @Nullable String secret)
            throws JMSException {
        return open(userName, secret, Domain.QUEUES);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return ClientXaConnection.open(target(), Domain.TOPICS);
    }

    @Override
    public XATopicConnection createXATopicConnection(@Nullable String userName, @Nullable String secret)
            throws JMSException {
        return open(userName, secret, Domain.TOPICS);
    }

    @Override
    public XAJMSContext createXAContext() {
        return ClientXaContext.on(target());
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String userName, @Nullable String secret) {
        return ClientXaContext.on(target(userName, secret));
    }
}
