package io.weir.jms.client;

import io.weir.jms.client.settings.Domain;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import java.util.function.Supplier;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * A session that takes part in XA transactions. Outside of them it acknowledges automatically, and its sends are in no
 * transaction.
 */
public final class ClientXaSession extends ClientSession implements XAQueueSession, XATopicSession {
    ClientXaSession(
            SessionCore core,
            Domain domain,
            KnownDestinations known,
            Temporaries temporaries,
            Supplier<@Nullable String> clientId) {
        super(core, domain, known, temporaries, clientId);
    }

    @Override
    public XAResource getXAResource() {
        return core().resource();
    }

    @Override
    public Session getSession() {
        return this;
    }

    @Override
    public QueueSession getQueueSession() {
        return this;
    }

    @Override
    public TopicSession getTopicSession() {
        return this;
    }
}
