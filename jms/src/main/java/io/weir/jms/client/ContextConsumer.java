package io.weir.jms.client;

import static io.weir.jms.client.Runtimes.get;
import static io.weir.jms.client.Runtimes.getOptional;
import static io.weir.jms.client.Runtimes.run;

import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** A consumer of the simplified API. Used by its context's thread; lives until it or its context is closed. */
final class ContextConsumer implements JMSConsumer {
    private final MessageConsumer consumer;

    ContextConsumer(MessageConsumer consumer) {
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
        return body(receive(), type);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return body(receive(timeout), type);
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return body(receiveNoWait(), type);
    }

    /** A message that has no body of this type is lost to an automatically acknowledging context (specification 8.6). */
    private static <T> @Nullable T body(@Nullable Message message, Class<T> type) {
        if (message == null) {
            return null;
        }
        return get(() -> {
            T body = message.getBody(type);
            if (body == null) {
                throw new MessageFormatException("the message has no body");
            }
            return body;
        });
    }
}
