package io.weir.jms.client.context;

import static io.weir.jms.client.link.Runtimes.get;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.ClientSession;
import io.weir.jms.client.ClientXaConnection;
import io.weir.jms.client.ClientXaSession;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.Domain;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** A context whose session takes part in XA transactions. Contexts created from it do not. */
public final class ClientXaContext extends ClientContext implements XAJMSContext {
    private ClientXaContext(ContextConnection shared) {
        super(shared, AckMode.BRANCHES);
    }

    /** Creates a context on its own connection. */
    public static ClientXaContext on(Target target) {
        ClientConnection connection = get(() -> ClientXaConnection.open(target, Domain.UNIFIED));
        return new ClientXaContext(new ContextConnection(connection));
    }

    @Override
    ClientSession open(ClientConnection on) throws JMSException {
        return ((ClientXaConnection) on).session();
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return get(() -> ((ClientXaSession) session()).getXAResource());
    }
}
