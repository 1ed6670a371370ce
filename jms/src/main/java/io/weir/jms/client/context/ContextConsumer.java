package io.weir.jms.client.context;

import static io.weir.jms.client.link.Runtimes.getOptional;
import static io.weir.jms.client.link.Runtimes.run;

import io.weir.jms.client.consumer.ClientConsumer;
import io.weir.jms.client.consumer.Puller;
import io.weir.jms.client.link.Runtimes;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** A consumer of the simplified API. Used by its context's thread; lives until it or its context is closed. */
final class ContextConsumer implements JMSConsumer {
    private final ClientConsumer consumer;

    ContextConsumer(ClientConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return getOptional(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return getOptional(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return getOptional(() -> consumer.receive());
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return getOptional(() -> consumer.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return getOptional(consumer::receiveNoWait);
    }

    @Override
    public void close() {
        run(consumer::close);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return Runtimes.<T>getOptional(() -> consumer.receiveBody(type, Puller.FOR_EVER));
    }

    /** 0 waits forever, as in {@link #receive(long)}. */
    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return Runtimes.<T>getOptional(() -> consumer.receiveBody(type, timeout <= 0 ? Puller.FOR_EVER : timeout));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return Runtimes.<T>getOptional(() -> consumer.receiveBody(type, Puller.NO_WAIT));
    }
}
