package io.weir.jms.client;

import io.weir.jms.message.WeirTextMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A text message of a class that is not ours. */
public final class ForeignText {
    private ForeignText() {}

    public static Message of(String text) throws jakarta.jms.JMSException {
        WeirTextMessage inside = new WeirTextMessage();
        inside.setText(text);
        return (Message) Proxy.newProxyInstance(
                ForeignText.class.getClassLoader(), new Class<?>[] {TextMessage.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(inside, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
