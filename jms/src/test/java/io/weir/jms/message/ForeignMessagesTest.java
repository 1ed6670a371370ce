package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Section 3.12: messages of another provider are sent as well as our own. */
class ForeignMessagesTest {
    /** Another provider's message: one of ours that only its interface can be seen of. */
    private static <M extends Message> M foreign(Class<M> as, WeirMessage behind) {
        return as.cast(Proxy.newProxyInstance(as.getClassLoader(), new Class<?>[] {as}, (proxy, method, arguments) -> {
            try {
                return method.invoke(behind, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void ourOwnAreTakenAsTheyAre() throws JMSException {
        WeirMessage own = new WeirTextMessage();
        assertThat(ForeignMessages.ours(own)).isSameAs(own);
    }

    @Test
    void headerAndPropertiesAreCopied() throws JMSException {
        WeirMessage theirs = new WeirMessage();
        theirs.setJMSType("type");
        theirs.setJMSCorrelationID("c");
        theirs.setJMSReplyTo(new WeirQueue("r"));
        theirs.setIntProperty("p", 5);
        theirs.setStringProperty("JMSXGroupID", "g");
        WeirMessage ours = ForeignMessages.ours(foreign(Message.class, new Delivered().deliver(theirs)));
        assertThat(ours).isExactlyInstanceOf(WeirMessage.class).isNotSameAs(theirs);
        assertThat(ours.getJMSType()).isEqualTo("type");
        assertThat(ours.getJMSCorrelationID()).isEqualTo("c");
        assertThat(ours.getJMSReplyTo()).isEqualTo(new WeirQueue("r"));
        assertThat(ours.getObjectProperty("p")).isEqualTo(5);
        assertThat(ours.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(ours.propertyExists("JMSXDeliveryCount")).isFalse();
    }

    @Test
    void bodiesOfAllKindsAreCopied() throws JMSException {
        WeirTextMessage text = new WeirTextMessage();
        text.setText("x");
        assertThat(body(foreign(TextMessage.class, text), String.class)).isEqualTo("x");
        WeirBytesMessage bytes = new WeirBytesMessage();
        bytes.writeBytes(new byte[10_000]);
        assertThat(body(foreign(BytesMessage.class, bytes), byte[].class)).isEqualTo(new byte[10_000]);
        WeirMapMessage map = new WeirMapMessage();
        map.setChar("c", 'c');
        assertThat(((WeirMapMessage) ForeignMessages.ours(foreign(MapMessage.class, map))).getChar("c"))
                .isEqualTo('c');
        WeirObjectMessage object = new WeirObjectMessage();
        object.setObject(5L);
        assertThat(body(foreign(ObjectMessage.class, object), Long.class)).isEqualTo(5L);
    }

    private static <T> @Nullable T body(Message foreign, Class<T> type) throws JMSException {
        WeirMessage ours = ForeignMessages.ours(foreign);
        assertThat(ours).isNotSameAs(foreign);
        return ours.getBody(type);
    }

    @Test
    void streamsAreCopiedFromTheirBeginning() throws JMSException {
        WeirStreamMessage stream = new WeirStreamMessage();
        stream.writeInt(1);
        stream.writeBytes(new byte[] {2});
        stream.writeString(null);
        WeirStreamMessage ours = (WeirStreamMessage) ForeignMessages.ours(foreign(StreamMessage.class, stream));
        ours.reset();
        assertThat(ours.readInt()).isEqualTo(1);
        assertThat((byte[]) ours.readObject()).containsExactly(2);
        assertThat(ours.readString()).isNull();
    }

    @Test
    void theForeignMessageLearnsWhatTheSendSet() throws JMSException {
        WeirMessage behind = new WeirMessage();
        Message theirs = foreign(Message.class, behind);
        WeirMessage ours = ForeignMessages.ours(theirs);
        Delivered.stamp(ours);
        ForeignMessages.copyStamp(ours, theirs);
        assertThat(theirs.getJMSMessageID()).isEqualTo(ours.getJMSMessageID()).startsWith("ID:");
        assertThat(theirs.getJMSDestination()).isEqualTo(Delivered.QUEUE);
        assertThat(theirs.getJMSPriority()).isEqualTo(7);
        assertThat(theirs.getJMSTimestamp()).isEqualTo(1000);
        assertThat(theirs.getJMSExpiration()).isEqualTo(2000);
        assertThat(theirs.getJMSDeliveryTime()).isEqualTo(1500);
    }

    @Test
    void aReplyToOfTheirsIsRefused() {
        Message theirs = (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, method, arguments) ->
                        (Queue) () -> "theirs");
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> ForeignMessages.ours(theirs));
    }
}
