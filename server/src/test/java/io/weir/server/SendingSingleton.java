package io.weir.server;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Tells a queue that it was activated, by nothing but JNDI. */
@SuppressWarnings("BanJNDI") // JNDI is what applications use
public final class SendingSingleton implements SingletonService {
    @Override
    public void activate(Fence fence) throws NamingException {
        InitialContext names = new InitialContext();
        ConnectionFactory factory = (ConnectionFactory) names.lookup("jms/default");
        Queue queue = (Queue) names.lookup("queue/demo");
        try (JMSContext session = factory.createContext()) {
            session.createProducer().send(queue, "activated with " + fence);
        }
    }

    @Override
    public void deactivate() {
        // nothing is held
    }
}
