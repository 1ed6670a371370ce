package io.weir.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.jms.frames.MessageView;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Section 3.4: header fields. */
class HeaderTest {
    private final Delivered consumer = new Delivered();

    @Test
    void whatTheSendSetsIsOnBothSides() throws JMSException {
        WeirMessage sent = new WeirMessage();
        WeirMessage received = consumer.deliver(sent);
        for (WeirMessage m : new WeirMessage[] {sent, received}) {
            assertThat(m.getJMSDestination()).isEqualTo(Delivered.QUEUE);
            assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(m.getJMSPriority()).isEqualTo(7);
            assertThat(m.getJMSMessageID()).isEqualTo("ID:weir-f-3");
            assertThat(m.getJMSTimestamp()).isEqualTo(1000);
            assertThat(m.getJMSExpiration()).isEqualTo(2000);
            assertThat(m.getJMSDeliveryTime()).isEqualTo(1500);
        }
    }

    @Test
    void whatTheApplicationSetOfTheseIsIgnoredAndReplaced() throws JMSException {
        WeirMessage sent = new WeirMessage();
        sent.setJMSDestination(new WeirTopic("t"));
        sent.setJMSDeliveryMode(DeliveryMode.PERSISTENT);
        sent.setJMSPriority(1);
        sent.setJMSMessageID("ID:mine");
        sent.setJMSTimestamp(1);
        sent.setJMSExpiration(2);
        sent.setJMSDeliveryTime(3);
        assertThat(sent.getJMSMessageID()).isEqualTo("ID:mine");
        whatTheSendSetsIsOnBothSides(sent);
    }

    private void whatTheSendSetsIsOnBothSides(WeirMessage sent) throws JMSException {
        WeirMessage received = consumer.deliver(sent);
        assertThat(sent.getJMSMessageID()).isEqualTo("ID:weir-f-3");
        assertThat(received.getJMSDestination()).isEqualTo(Delivered.QUEUE);
        assertThat(received.getJMSPriority()).isEqualTo(7);
        assertThat(received.getJMSExpiration()).isEqualTo(2000);
    }

    @Test
    void anIdOrTimestampThatIsDisabledIsNullOrZero() {
        WeirMessage sent = new WeirMessage();
        sent.setJMSMessageID("ID:old");
        sent.stamp(Delivered.QUEUE, DeliveryMode.PERSISTENT, 4, 0, 0, 0, 0, 0);
        assertThat(sent.getJMSMessageID()).isNull();
        assertThat(sent.getJMSTimestamp()).isZero();
    }

    @Test
    void correlationTravelsAsTextOrBytes() {
        WeirMessage sent = new WeirMessage();
        sent.setJMSCorrelationID("größe");
        assertThat(consumer.deliver(sent).getJMSCorrelationID()).isEqualTo("größe");
        byte[] bytes = {0, -1, 5};
        sent.setJMSCorrelationIDAsBytes(bytes);
        bytes[0] = 1;
        assertThat(consumer.deliver(sent).getJMSCorrelationIDAsBytes()).containsExactly(0, -1, 5);
        sent.setJMSCorrelationID("ID:1");
        assertThat(sent.getJMSCorrelationIDAsBytes()).isEqualTo("ID:1".getBytes(StandardCharsets.UTF_8));
        String half = "a\ud800b";
        sent.setJMSCorrelationID(half);
        byte[] asBytes = sent.getJMSCorrelationIDAsBytes();
        assertThat(asBytes).as("no question mark").hasSize(5);
        sent.setJMSCorrelationIDAsBytes(asBytes);
        assertThat(sent.getJMSCorrelationID()).isEqualTo(half);
        sent.setJMSCorrelationID(null);
        assertThat(consumer.deliver(sent).getJMSCorrelationID()).isNull();
        assertThat(sent.getJMSCorrelationIDAsBytes()).isNull();
    }

    @Test
    void typeAndReplyToTravel() throws JMSException {
        WeirMessage sent = new WeirMessage();
        sent.setJMSType("quote");
        for (WeirDestination reply : new WeirDestination[] {
            new WeirQueue("a"), new WeirTopic("b"), new WeirTemporaryQueue("c", null), new WeirTemporaryTopic("d", null)
        }) {
            sent.setJMSReplyTo(reply);
            WeirMessage received = consumer.deliver(sent);
            assertThat(received.getJMSReplyTo()).isEqualTo(reply).hasSameClassAs(reply);
            assertThat(received.getJMSType()).isEqualTo("quote");
        }
        sent.setJMSReplyTo(null);
        assertThat(consumer.deliver(sent).getJMSReplyTo()).isNull();
    }

    @Test
    void aForeignDestinationIsRefusedForReplies() {
        Queue foreign = () -> "theirs";
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> new WeirMessage().setJMSReplyTo(foreign));
    }

    @Test
    void headerFieldsOfAReceivedMessageCanBeChanged() throws JMSException {
        WeirMessage received = consumer.deliver(new WeirMessage());
        received.setJMSType("x");
        received.setJMSCorrelationID("y");
        received.setJMSReplyTo(new WeirTopic("z"));
        received.setJMSRedelivered(true);
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(consumer.deliver(received).getJMSReplyTo()).isEqualTo(new WeirTopic("z"));
    }

    @Test
    void aRedeliveredMessageCountsTwoDeliveriesAtLeast() throws JMSException {
        WeirMessage sent = new WeirMessage();
        Delivered.stamp(sent);
        MessageView view = new MessageView().wrap(Delivered.block(sent));
        int[][] flaggedCountSeen = {{0, 1, 1}, {1, 1, 2}, {1, 2, 2}, {1, 7, 7}};
        for (int[] row : flaggedCountSeen) {
            WeirMessage m = WeirMessage.received(view, Delivered.QUEUE, row[0] == 1, row[1], 1, consumer);
            assertThat(m.getJMSRedelivered()).isEqualTo(row[0] == 1);
            assertThat(m.getIntProperty("JMSXDeliveryCount")).isEqualTo(row[2]);
        }
    }

    @Test
    void acknowledgeGoesToTheSession() throws JMSException {
        WeirMessage received = consumer.deliver(new WeirMessage());
        received.acknowledge();
        assertThat(consumer.acknowledged.get()).isSameAs(received);
        assertThat(received.deliveryTag()).isEqualTo(9);
        new WeirMessage().acknowledge();
    }

    @Test
    void destinationsAreEqualByKindAndName() throws Exception {
        assertThat(new WeirQueue("a")).isEqualTo(new WeirQueue("a")).hasSameHashCodeAs(new WeirQueue("a"));
        assertThat((Object) new WeirQueue("a")).isNotEqualTo(new WeirTopic("a"));
        assertThat(new WeirQueue("a"))
                .isNotEqualTo(new WeirTemporaryQueue("a", null))
                .hasToString("queue/a");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new WeirTopic("news"));
        Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertThat(read).isEqualTo(new WeirTopic("news")).hasToString("topic/news");
    }

    @Test
    void onlyItsConnectionDeletesATemporaryDestination() throws JMSException {
        WeirDestination[] deleted = new WeirDestination[1];
        WeirTemporaryQueue own = new WeirTemporaryQueue("t", d -> deleted[0] = d);
        own.delete();
        assertThat(deleted[0]).isSameAs(own);
        assertThatExceptionOfType(jakarta.jms.IllegalStateException.class)
                .isThrownBy(new WeirTemporaryTopic("t", null)::delete);
    }
}
